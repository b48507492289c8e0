package import Larder

/// The number of tables that a store needs, for engines that have to know.
package enum KeyValueTables {
    /// At most so many tables are made for these item types: one for the rows of each and one for each index,
    /// and the one in which the store describes itself.
    package static func count(for itemTypes: [any DataStoreItem.Type]) -> Int {
        itemTypes.reduce(1) { count, type in
            // Links have a table and at most three indexes.
            let links = type.schema.relationships.filter(\.kind.isToMany)
            return count + 1 + type.schema.indexes.count + 4 * links.count
        }
    }
}
