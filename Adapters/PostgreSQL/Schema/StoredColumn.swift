#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The declaration of a column.
    struct StoredColumn {
        let attribute: StoredSchema.Attribute

        var name: String { StoreNames.column(attribute) }

        /// The type as the server names it.
        var type: String { attribute.type.storage.serverType }

        /// The column in a CREATE TABLE or an ADD COLUMN.
        var declaration: String {
            name.asSQLName + " " + type + (attribute.type.storage.isText ? " COLLATE \"C\"" : "")
                + (attribute.isOptional ? "" : " NOT NULL")
        }
    }

    extension AttributeType.Storage {
        var isText: Bool {
            switch self {
            case .text, .json: true
            case .integer, .unsigned, .real, .blob, .decimal: false
            }
        }

        fileprivate var serverType: String {
            switch self {
            case .integer, .unsigned: "bigint"
            case .real: "double precision"
            case .text, .json: "text"
            case .blob: "bytea"
            case .decimal: "numeric"
            }
        }
    }

    extension StoredSchema.Entity {
        /// The statement that makes the table, with a key of its own name: names of keys are unique in a schema.
        func creation(in place: ServerPlace) -> String {
            let table = StoreNames.table(of: self)
            let columns = attributes.map { StoredColumn(attribute: $0).declaration }
            let key = attributes.first.map { StoreNames.column($0).asSQLName } ?? ""
            return """
                CREATE TABLE \(place.qualified(table.name)) (\(columns.joined(separator: ", ")), \
                CONSTRAINT \(table.key) PRIMARY KEY (\(key)))
                """
        }

        /// The statement that makes the table of an index, in which nil comes first.
        func creation(of index: StoredSchema.Index, in place: ServerPlace) -> String {
            let columns = index.attributes.compactMap { name in
                attributes.first { UTF8Text.areEqual($0.name, name) }
            }.map { StoreNames.column($0).asSQLName + ($0.isOptional ? " NULLS FIRST" : "") }
            let key = attributes.first.map { StoreNames.column($0).asSQLName } ?? ""
            return """
                CREATE INDEX IF NOT EXISTS \(StoreNames.index(index, of: self)) \
                ON \(place.qualified(StoreNames.table(of: self).name)) (\((columns + [key]).joined(separator: ", ")))
                """
        }
    }

    extension Constant {
        /// The constant as SQL, for the places that take no parameters; nil for nil.
        func literal(as storage: AttributeType.Storage) -> String? {
            switch (self, storage) {
            case (.null, _): return nil
            case (.integer(let value), .unsigned): return "'\(value ^ .min)'::bigint"
            case (.integer(let value), _): return "'\(value)'::bigint"
            case (.unsigned(let value), _): return "'\(Int64(bitPattern: value) ^ .min)'::bigint"
            case (.real(let value), _): return "'\(value)'::double precision"
            case (.decimal(let text), _): return "'\(text)'::numeric"
            case (.blob(let bytes), _):
                let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                return "'\\x\(digits)'::bytea"
            case (.text(let text), _):
                var bytes: [UInt8] = []
                text.withBytes { ServerText.append($0, to: &bytes) }
                return "'" + String(decoding: bytes, as: UTF8.self).putting("'", before: "'") + "'::text"
            }
        }
    }
#endif
