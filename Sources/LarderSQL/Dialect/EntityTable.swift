package import LarderKernel

/// The table of an item type: what statements about it are made of.
package final class EntityTable: Sendable {
    /// The number of the item type in the app's schema.
    package let number: Int
    package let schema: EntitySchema
    /// The table's name as SQL.
    package let name: String
    /// The table's name without quotes, as explanations of engines have it.
    package let plainName: String
    /// The name of the primary key without quotes, if explanations of the engine have it.
    package let keyName: String?
    /// The columns' names as SQL, in the order of the attributes.
    package let columns: [String]
    package let storages: [AttributeType.Storage]
    /// The index names that explanations of engines may mention, with the words for people.
    package let indexNames: [(name: String, words: String)]
    /// The leading columns of the indexes.
    package let indexedColumns: Set<Int>
    /// The columns that have each value but nil in one row only.
    package let uniqueColumns: Set<Int>
    /// The columns of which indexes have the beginning alone.
    let shortened: ShortenedColumns?

    /// - Parameters:
    ///   - name: The table's name, without quotes.
    ///   - keyName: The name of the primary key, without quotes; nil if explanations do not have it.
    ///   - columns: The columns' names as SQL.
    ///   - indexNames: The names of the indexes, with the words for people.
    ///   - qualifier: The schema of the database that has the table; nil for an engine that has none.
    ///   - shortened: The columns of which indexes have the beginning alone; nil if there are none.
    package init(
        number: Int, schema: EntitySchema, name: String, keyName: String? = nil, columns: [String],
        indexNames: [(name: String, words: String)], qualifier: String? = nil,
        shortened: ShortenedColumns? = nil
    ) {
        self.shortened = shortened
        self.number = number
        self.schema = schema
        plainName = name
        self.keyName = keyName
        self.name = (qualifier.map { $0.asSQLName + "." } ?? "") + name.asSQLName
        self.columns = columns
        storages = schema.attributes.map(\.type.storage)
        self.indexNames = indexNames
        indexedColumns = Set(schema.indexes.compactMap(\.columns.first))
        uniqueColumns = Set(
            [0] + schema.indexes.filter { $0.isUnique && $0.columns.count == 1 }.map { $0.columns[0] })
    }

    package func isOptional(_ column: Int) -> Bool { schema.attributes[column].isOptional }

    /// The number of characters of a column that its indexes have; nil if they have all.
    func shortLength(of column: Int) -> Int? {
        shortened.flatMap { $0.columns.contains(column) ? $0.length : nil }
    }
}

/// The columns of which indexes have the beginning alone, for engines that refuse long values in an index.
///
/// Each test of such a column is written twice, for its beginning and for the whole, and so is each term of an order. The
/// engine finds rows by the beginning and tests the few that are left.
package struct ShortenedColumns: Sendable {
    let columns: Set<Int>
    package let length: Int

    package init(_ columns: Set<Int>, length: Int) {
        self.columns = columns
        self.length = length
    }
}

extension String {
    /// The name as SQL, whatever is in it.
    package var asSQLName: String { "\"" + putting("\"", before: "\"") + "\"" }

    /// The text with a mark before each of some characters.
    package func putting(_ mark: Unicode.Scalar, before special: String) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if special.unicodeScalars.contains(scalar) { text.unicodeScalars.append(mark) }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
