/// A mapping that runs: the types that it makes rows of, and the origin of the values they begin with.
package struct DestinationMapping {
    package struct Place {
        let entity: DestinationEntity
        /// For each column its origin in the old row.
        let origins: [ColumnOrigin]
        /// True if the old row's identifier can be that of a new row.
        let keepsIdentifiers: Bool

        package init(_ entity: DestinationEntity, origins: [ColumnOrigin], keepsIdentifiers: Bool) {
            self.entity = entity
            self.origins = origins
            self.keepsIdentifiers = keepsIdentifiers
        }
    }

    let destinations: [Place]
    let fills: [EntityMapping.Fill]
    /// The number of the list of rows that get another identifier; nil where it is not kept.
    let moves: Int?

    package init(_ destinations: [Place], fills: [EntityMapping.Fill], moves: Int? = nil) {
        self.destinations = destinations
        self.fills = fills
        self.moves = moves
    }

    func keepsIdentifiers(of entity: DestinationEntity) -> Bool {
        destinations.contains { $0.entity === entity && $0.keepsIdentifiers }
    }
}
