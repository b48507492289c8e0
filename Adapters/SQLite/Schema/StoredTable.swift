import LarderKernel
import LarderSQL

/// The name and the declaration of a stored entity's table.
///
/// Names come from the entity; only one that SQLite or Larder keeps for itself gets an underscore in front.
struct StoredTable {
    let entity: StoredSchema.Entity

    var name: String { Self.name(for: entity) }

    /// The columns' names as SQL.
    var columns: [String] { entity.attributes.map { $0.storageName.asSQLName } }

    /// True if the identifier is SQLite's rowid.
    var hasIntegerKey: Bool { entity.attributes.first?.type.storage == .integer }

    /// The statement that makes the table, under its own or another name.
    func creation(as name: String) -> String {
        let columns = entity.attributes.enumerated().map { position, attribute in
            var column = "\(attribute.storageName.asSQLName) \(attribute.type.sqlType)"
            if position == 0 { column += " PRIMARY KEY" }
            if !attribute.isOptional { column += " NOT NULL" }
            return column
        }
        let options = hasIntegerKey ? "STRICT" : "STRICT, WITHOUT ROWID"
        return "CREATE TABLE \(name.asSQLName) (\(columns.joined(separator: ", "))) \(options)"
    }

    /// The statement that makes the table of an index.
    func creation(of index: StoredSchema.Index) -> String {
        let columns = storageNames(of: index).map(\.asSQLName).joined(separator: ", ")
        return "CREATE INDEX \(self.name(of: index).asSQLName) ON \(name.asSQLName) (\(columns))"
    }

    func removal(of index: StoredSchema.Index) -> String {
        "DROP INDEX IF EXISTS \(name(of: index).asSQLName)"
    }

    /// `larder_index_Recipe(name,rating)`: no two indexes share it, as separators inside names are escaped.
    func name(of index: StoredSchema.Index) -> String {
        let columns = storageNames(of: index).map(\.escaped).joined(separator: ",")
        return "\(Self.indexPrefix)\(entity.storageName.escaped)(\(columns))"
    }

    /// True if an index has a name that the store keeps for its own.
    static func isName(ofIndex name: String) -> Bool { name.hasPrefix(indexPrefix) }

    private static let indexPrefix = "larder_index_"

    /// The names of an index's columns, most significant first.
    func storageNames(of index: StoredSchema.Index) -> [String] {
        index.attributes.map { name in
            entity.attributes.first { UTF8Text.areEqual($0.name, name) }?.storageName ?? name
        }
    }

    private static func name(for entity: StoredSchema.Entity) -> String {
        let bare = entity.storageName.utf8.drop { $0 == UInt8(ascii: "_") }
        let start = String(decoding: bare.prefix(7), as: UTF8.self).lowercased()
        let isReserved = start == "sqlite_" || start == "larder_"
        return isReserved ? "_" + entity.storageName : entity.storageName
    }
}

extension AttributeType {
    /// The type of a column in a STRICT table.
    var sqlType: String {
        switch storage {
        case .integer: "INTEGER"
        case .unsigned: "ANY"
        case .real: "REAL"
        case .text, .decimal, .json: "TEXT"
        case .blob: "BLOB"
        }
    }
}

extension String {
    /// The name with a backslash before each separator of index names.
    fileprivate var escaped: String { putting("\\", before: "\\(),") }
}

extension EntityTable {
    /// The table of an item type as the store describes it.
    convenience init(number: Int, schema: EntitySchema, stored entity: StoredSchema.Entity) {
        let table = StoredTable(entity: entity)
        let indexNames = entity.indexes.map { index in
            (table.name(of: index), "\(schema.name)(\(index.attributes.joined(separator: ", ")))")
        }
        self.init(
            number: number, schema: schema, name: table.name, columns: table.columns, indexNames: indexNames)
    }
}
