#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL

    /// The names of a store's tables, columns and indexes on the server.
    ///
    /// They are the stored names, so that any SQL tool can read them. A name that is too long for the server, or that the
    /// server or Larder keeps for itself, is cut and gets the digest of the whole.
    enum StoreNames {
        /// The tables with the store's own description, its commits, and the leases of processes' numbers.
        static let store = "larder_store"
        static let commits = "larder_commits"
        static let leases = "larder_leases"

        /// The greatest length of a name, in bytes; the server cuts longer ones in silence.
        fileprivate static let maximumLength = 63

        static func table(of entity: StoredSchema.Entity) -> String { safe(entity.storageName) }

        /// The name of the primary key of a table.
        static func key(of entity: StoredSchema.Entity) -> String { "larder_key_\(entity.number)" }

        static func column(_ attribute: StoredSchema.Attribute) -> String { safe(attribute.storageName) }

        /// The name of an index, which is another one for other parts of the index.
        static func index(_ index: StoredSchema.Index, of entity: StoredSchema.Entity) -> String {
            "larder_index_\(entity.number)_\(digest(entity.keys(of: index).joined(separator: ", ")))"
        }

        /// Columns that every table has.
        private static let systemColumns = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]

        private static func safe(_ name: String) -> String {
            let isReserved = systemColumns.contains(name) || name.hasPrefix("larder_") || name.contains("~")
            // The server has no names with U+0000.
            let isPlain = !name.isEmpty && !name.unicodeScalars.contains { $0.value == 0 }
            if isPlain, !isReserved, name.utf8.count <= maximumLength { return name }
            var start = ""
            for scalar in name.unicodeScalars where scalar.value != 0 {
                guard start.utf8.count + String(scalar).utf8.count <= 40 else { break }
                start.unicodeScalars.append(scalar)
            }
            return "\(start)~\(digest(name))"
        }

        /// 16 hexadecimal digits for a text.
        private static func digest(_ text: String) -> String {
            let hash = text.withBytes {
                SipHash.hash($0, key: (0x4C61_7264_6572_3031, 0x4E61_6D65_7320_3031))
            }
            let digits = String(hash.low, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    /// A schema of the server, in which a store is, with the names of its tables as SQL.
    struct ServerPlace: Sendable {
        let schema: String

        /// True if the server takes the name, and the longer one that it gets when the store is set aside.
        var hasRoom: Bool {
            let isAside = schema.contains(Self.asideMark)
            return schema.utf8.count <= (isAside ? StoreNames.maximumLength : 50)
        }

        /// The words between the name of a store that was set aside and its number.
        static let asideMark = "~set-aside-"

        func qualified(_ table: String) -> String { "\(schema.asSQLName).\(table.asSQLName)" }

        func table(of entity: StoredSchema.Entity) -> String { qualified(StoreNames.table(of: entity)) }

        var store: String { qualified(StoreNames.store) }
        var commits: String { qualified(StoreNames.commits) }
        /// The query for the number and the token of the newest commit.
        var newestCommit: String { "SELECT number, token FROM \(commits) ORDER BY number DESC LIMIT 1" }
        /// The channel on which commits are announced.
        var channel: String { "larder_\(schema)".asSQLName }
        var leases: String { qualified(StoreNames.leases) }
    }

    extension EntityTable {
        /// The tables of a schema as a store describes them.
        static func all(
            of schema: StoreSchema, as entities: [StoredSchema.Entity], in place: ServerPlace
        ) -> [EntityTable] {
            zip(schema.entities, entities).enumerated().map { number, entity in
                EntityTable(number: number, schema: entity.0, stored: entity.1, in: place)
            }
        }

        /// The table of an item type as the store describes it.
        convenience init(
            number: Int, schema: EntitySchema, stored entity: StoredSchema.Entity, in place: ServerPlace
        ) {
            let indexNames = entity.indexes.map { index in
                (
                    StoreNames.index(index, of: entity),
                    "\(schema.name)(\(index.attributes.joined(separator: ", ")))"
                )
            }
            self.init(
                number: number, schema: schema, name: StoreNames.table(of: entity),
                keyName: StoreNames.key(of: entity), columns: TableLayout(entity).places,
                indexNames: indexNames, qualifier: place.schema, shortened: entity.shortened)
        }
    }
#endif
