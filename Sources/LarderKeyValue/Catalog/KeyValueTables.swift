package import Larder

/// The number of tables that a store needs, for engines that have to know.
package enum KeyValueTables {
    /// At most so many tables are made for these item types: one for the rows of each and one for each index,
    /// as many for each relationship that may have links, and the one in which the store describes itself.
    package static func count(for itemTypes: [any DataStoreItem.Type]) -> Int {
        itemTypes.reduce(1) { count, type in
            let relationships = type.schema.relationships.count { $0.kind.isToMany }
            return count + 1 + type.schema.indexes.count + relationships * linkTables
        }
    }

    /// The rows of links, and their indexes: by both ends, back, and in an order.
    private static let linkTables = 4
}
