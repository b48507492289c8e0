import LarderKernel

/// A mapping that runs: the types that it makes rows of, and the origin of the values they begin with.
final class DestinationMapping {
    let destinations: [Output]
    /// The values that are made for each row of the first destination, with their columns; a value without one cannot be put,
    /// which is an error of the first row.
    let fills: [(fill: EntityMapping.Fill, column: Int?)]
    /// The lists of the rows that get another identifier; nil if they are not kept.
    let moves: MovedRows?

    init(_ destinations: [Output], fills: [EntityMapping.Fill], moves: MovedRows? = nil) {
        self.destinations = destinations
        self.moves = moves
        self.fills = fills.map { fill in
            let entity = destinations.first?.entity
            let column = entity?.column(fill.attribute)
            let fits = column.map { $0 > 0 && entity?.accepts(fill.type, at: $0) == true } ?? false
            return (fill: fill, column: fits ? column : nil)
        }
        for (position, output) in destinations.enumerated() {
            output.isFirst = position == 0
            output.keepsIdentifiers = destinations.contains {
                $0.entity === output.entity && $0.keepsOwnIdentifiers
            }
        }
    }

    /// A type that the mapping makes rows of.
    final class Output {
        let entity: DestinationEntity
        /// True if a new row can have the old row's identifier, here or in an output of the same type.
        fileprivate(set) var keepsIdentifiers = false
        let keepsOwnIdentifiers: Bool
        /// True for the first of the mapping.
        fileprivate(set) var isFirst = false
        /// The columns that begin with the value of a column of the old row.
        let stored: [(column: Int, source: Int)]
        /// The columns that begin with a default.
        let constants: [(column: Int, value: Constant)]
        /// The references to a type that is another one in the new version, by their column here and in the old row.
        let lost: [(column: Int, source: Int)]

        /// - Parameter keepsIdentifiers: True if a new row can have the old row's identifier.
        init(
            _ entity: DestinationEntity, keepsIdentifiers: Bool,
            stored: [(column: Int, source: Int)] = [], constants: [(column: Int, value: Constant)] = [],
            lost: [(column: Int, source: Int)] = []
        ) {
            self.entity = entity
            keepsOwnIdentifiers = keepsIdentifiers
            (self.stored, self.constants, self.lost) = (stored, constants, lost)
        }
    }
}

/// The numbers of the two lists of the rows that a mapping gives another identifier, and of their types.
struct MovedRows: Sendable {
    /// The type of the old rows.
    let source: Int
    /// The type of the new rows, in the types of the new version.
    let target: Int
    /// The list of the old identifiers, each with the new one.
    let identifiers: Int
    /// The list of the new identifiers, which other rows may have had that are dropped.
    let taken: Int
}
