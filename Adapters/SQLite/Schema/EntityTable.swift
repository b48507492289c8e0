import LarderKernel

/// The table of one of the app's item types: what statements about it are made of.
final class EntityTable: Sendable {
    /// The number of the item type in the app's schema.
    let number: Int
    let schema: EntitySchema
    /// The table's name as SQL.
    let name: String
    /// The table's name as `EXPLAIN QUERY PLAN` gives it.
    let plainName: String
    /// The columns' names as SQL, in the order of the attributes.
    let columns: [String]
    let storages: [AttributeType.Storage]
    /// The index names that `EXPLAIN QUERY PLAN` may mention, with the words for people.
    let indexNames: [(name: String, words: String)]
    /// The leading columns of the indexes.
    let indexedColumns: Set<Int>
    /// The columns that have each value in one row only.
    let uniqueColumns: Set<Int>

    init(number: Int, schema: EntitySchema, stored entity: StoredSchema.Entity) {
        let table = StoredTable(entity: entity)
        self.number = number
        self.schema = schema
        plainName = table.name
        name = plainName.asSQLName
        columns = table.columns
        storages = schema.attributes.map(\.type.storage)
        indexNames = entity.indexes.map { index in
            (table.name(of: index), "\(schema.name)(\(index.attributes.joined(separator: ", ")))")
        }
        indexedColumns = Set(schema.indexes.compactMap(\.columns.first))
        uniqueColumns = Set(
            [0] + schema.indexes.filter { $0.isUnique && $0.columns.count == 1 }.map { $0.columns[0] })
    }

    func isOptional(_ column: Int) -> Bool { schema.attributes[column].isOptional }
}
