package import Larder

/// The number of tables that a store needs, for engines that have to know.
package enum KeyValueTables {
    /// At most so many tables are made for these item types: one for the rows of each and of its links and
    /// one for each index, and the one in which the store describes itself.
    package static func count(for itemTypes: [any DataStoreItem.Type]) -> Int {
        // A wrong declaration is refused before any table is made.
        let entities = (try? StoreSchema(storing: itemTypes))?.entities ?? itemTypes.map { $0.schema }
        return count(of: entities) + 1
    }

    /// At most so many tables are made for a store of any version of a history, on its way to the current one:
    /// those of each version, and while a step runs, those that it makes beside the old ones.
    package static func count(for history: SchemaHistory) -> Int {
        // A wrong history is refused before any table is made.
        history.versions.reduce(1) { sum, version in
            sum + 2 * count(of: (try? version.schema())?.entities ?? [])
        }
    }

    private static func count(of entities: [EntitySchema]) -> Int {
        entities.reduce(0) { $0 + 1 + $1.indexes.count }
    }
}
