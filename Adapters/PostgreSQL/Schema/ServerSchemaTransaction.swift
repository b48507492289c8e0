#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL
    import LarderVersions

    /// Brings the tables of a store to the app's schema; runs inside a transaction that holds the store's lock.
    ///
    /// Columns are added, renamed and dropped in place: the server does so without writing rows. No process reads
    /// meanwhile, as each reading holds a lock of the store.
    final class ServerSchemaTransaction: SchemaTransaction {
        private let metadata: StoreMetadata
        private var connection: ServerConnection { metadata.connection }
        private var place: ServerPlace { metadata.place }

        init(_ metadata: StoreMetadata) {
            self.metadata = metadata
        }

        /// Makes every change and stores the new schema.
        func run(_ migration: SchemaMigration) throws(DataStoreError) {
            if migration.isNeeded { try migration.run(in: self) }
            try metadata.set(migration.target)
        }

        func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
            for entity in evolution.removed {
                try connection.execute("DROP TABLE \(place.table(of: entity))")
            }
            for entity in evolution.entities {
                do throws(DataStoreError) {
                    try apply(entity, of: schema.entities[entity.entity])
                } catch {
                    throw error.about(itemType: entity.new.name, path: connection.path)
                }
            }
        }

        func withRows(
            of schema: StoreSchema, as entities: [StoredSchema.Entity],
            _ body: (any StorageWriting) throws(DataStoreError) -> Void
        ) throws(DataStoreError) {
            do throws(DataStoreError) {
                let rows = UpgradeRows(of: schema, as: entities, in: place, on: connection)
                try body(rows)
                try rows.finish()
            } catch {
                throw error.about(path: connection.path)
            }
        }

        private func apply(_ evolution: EntityEvolution, of entity: EntitySchema) throws(DataStoreError) {
            let new = evolution.new
            guard let old = evolution.old else {
                try requireFree(new)
                try connection.execute(new.creation(in: place))
                return try addIndexes(of: new)
            }
            if !UTF8Text.areEqual(StoreNames.table(of: old), StoreNames.table(of: new)) {
                try requireFree(new)
                try connection.execute(
                    "ALTER TABLE \(place.table(of: old)) RENAME TO \(StoreNames.table(of: new).asSQLName)")
            }
            for index in indexesToRemove(evolution, old) {
                try connection.execute(
                    "DROP INDEX IF EXISTS \(place.qualified(StoreNames.index(index, of: old)))")
            }
            if evolution.changesRows {
                try changeColumns(evolution, old)
                try fold(evolution)
            }
            try addIndexes(of: new)
            try requireUnique(evolution, of: entity)
        }

        /// Refuses to make a table if there is one already, perhaps another tool's.
        private func requireFree(_ entity: StoredSchema.Entity) throws(DataStoreError) {
            let name = StoreNames.table(of: entity)
            let answer = try connection.execute(
                """
                SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = $1 AND c.relname = $2
                """, place.schema, name)
            if answer.integer(0, 0) == 0 { return }
            throw DataStoreError(
                .schemaMismatch,
                "The schema has a table \"\(name)\" already, which is not one of the store's.",
                advice: "Rename or drop the table, or store the item type under another name.",
                itemType: entity.name, path: connection.path
            ).leavingNoWay()
        }

        private func addIndexes(of entity: StoredSchema.Entity) throws(DataStoreError) {
            for index in entity.indexes { try connection.execute(entity.creation(of: index, in: place)) }
        }

        /// The indexes that are not wanted any more, and those one of whose columns is another from now on.
        private func indexesToRemove(
            _ evolution: EntityEvolution, _ old: StoredSchema.Entity
        ) -> [StoredSchema.Index] {
            let wanted = Set(evolution.new.indexes.map { StoreNames.index($0, of: evolution.new) })
            var kept: Set<UTF8Key> = []
            for (attribute, source) in zip(evolution.new.attributes, evolution.columns) {
                guard case .stored(let position) = source else { continue }
                let stored = old.attributes[position]
                if UTF8Text.areEqual(stored.name, attribute.name) { kept.insert(UTF8Key(stored.name)) }
            }
            return old.indexes.filter { index in
                !wanted.contains(StoreNames.index(index, of: old))
                    || evolution.changesRows && !index.attributes.allSatisfy { kept.contains(UTF8Key($0)) }
            }
        }

        /// Fills the columns of folded texts: the server cannot fold, so texts are read, and sent back with their folding.
        private func fold(_ evolution: EntityEvolution) throws(DataStoreError) {
            var texts = ColumnSet()
            for case .folded(let folded) in evolution.columns { texts.insert(folded.source) }
            if texts.isEmpty { return }
            let (rows, schema) = try rows(of: evolution)
            let batches = RowBatches(of: 0, in: schema, rows)
            while try batches.readNext() {
                let mutations = batches.rows.map {
                    RowMutation(.update, entity: 0, cells: $0, columns: texts)
                }
                try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
                    try schema.withFolded(mutations) { folded throws(DataStoreError) in
                        _ = try rows.apply(folded)
                    }
                }
            }
            try rows.finish()
        }

        private func rows(
            of evolution: EntityEvolution
        ) throws(DataStoreError) -> (rows: UpgradeRows, schema: StoreSchema) {
            let schema = try StoreSchema(
                of: StoredSchema(generation: 0, entities: [evolution.new.alone], nextEntityNumber: 1))
            return (UpgradeRows(of: schema, as: [evolution.new], in: place, on: connection), schema)
        }

        private func requireUnique(
            _ evolution: EntityEvolution, of entity: EntitySchema
        ) throws(DataStoreError) {
            let indexes = evolution.addedUniqueIndexes(in: entity)
            if indexes.isEmpty { return }
            let rows = try rows(of: evolution).rows
            for index in indexes {
                let clash = try UniqueClash.first(in: index, of: 0, entity, rows)
                if let clash { throw clash.violation.about(path: connection.path) }
            }
            try rows.finish()
        }
    }

    // MARK: Columns

    extension ServerSchemaTransaction {
        private func changeColumns(
            _ evolution: EntityEvolution, _ old: StoredSchema.Entity
        ) throws(DataStoreError) {
            let table = place.table(of: evolution.new)
            let columns = zip(evolution.new.attributes, evolution.columns).enumerated().map {
                number, column in
                ColumnChange(number: number, new: column.0, source: column.1, old: old)
            }
            let layouts = (old: TableLayout(old), new: TableLayout(evolution.new))
            if layouts.old.isPacked || layouts.new.isPacked {
                return try fillNewTable(of: evolution.new, from: layouts.old, columns)
            }
            let used = columns.compactMap(\.position)
            let dropped = old.attributes.indices.filter { !used.contains($0) }
            for position in dropped {
                try alter(table, "DROP COLUMN \(StoreNames.column(old.attributes[position]).asSQLName)")
            }
            // Two columns may swap their names.
            for column in columns where column.isRenamed {
                try alter(table, "RENAME COLUMN \(column.oldName) TO \(column.interim)")
            }
            for column in columns where column.isRenamed {
                try alter(table, "RENAME COLUMN \(column.interim) TO \(column.name)")
            }
            for column in columns {
                for action in column.actions { try alter(table, action) }
                if let update = column.update { try connection.execute("UPDATE \(table) SET \(update)") }
            }
        }

        /// Makes the table again and fills it from the old one: elements of arrays are not renamed or dropped in place.
        private func fillNewTable(
            of entity: StoredSchema.Entity, from old: TableLayout, _ columns: [ColumnChange]
        ) throws(DataStoreError) {
            let table = place.table(of: entity)
            let source = place.qualified("larder_moving")
            try alter(table, "RENAME TO larder_moving")
            try alter(source, "RENAME CONSTRAINT \(StoreNames.key(of: entity)) TO larder_moving_key")
            try connection.execute(entity.creation(in: place))
            let row = TableLayout.row(columns.map { $0.value(in: old) }, at: TableLayout(entity).places)
            try connection.execute(
                "INSERT INTO \(table) (\(row.columns)) SELECT \(row.values) FROM \(source)")
            try connection.execute("DROP TABLE \(source)")
        }

        private func alter(_ table: String, _ action: String) throws(DataStoreError) {
            try connection.execute("ALTER TABLE \(table) \(action)")
        }
    }

    /// The way from a stored column to the one that it becomes.
    private struct ColumnChange {
        let new: StoredSchema.Attribute
        /// The position of the column in the old table; nil for one that is added.
        let position: Int?
        let interim: String
        private let old: StoredSchema.Attribute?
        private let constant: Constant

        init(
            number: Int, new: StoredSchema.Attribute, source: EntityEvolution.ColumnSource,
            old: StoredSchema.Entity
        ) {
            self.new = new
            interim = "larder_moving_\(number)"
            switch source {
            case .stored(let position):
                self.position = position
                self.old = old.attributes[position]
                constant = .null
            case .constant(let constant):
                (position, self.old) = (nil, nil)
                self.constant = constant
            case .folded:
                // Filled once the column is there.
                (position, self.old) = (nil, nil)
                constant = new.isOptional ? .null : .text("")
            }
        }

        var name: String { StoreNames.column(new).asSQLName }

        var oldName: String { old.map { StoreNames.column($0).asSQLName } ?? name }

        var isRenamed: Bool { old != nil && !UTF8Text.areEqual(oldName, name) }

        /// The parts of ALTER TABLE, once names are right.
        var actions: [String] {
            guard let old else {
                let column = TableLayout.Column(new).declaration
                guard let literal = constant.literal(as: new.type.storage) else {
                    return ["ADD COLUMN \(column)"]
                }
                return ["ADD COLUMN \(column) DEFAULT \(literal)", "ALTER COLUMN \(name) DROP DEFAULT"]
            }
            if old.isOptional == new.isOptional { return [] }
            return ["ALTER COLUMN \(name) \(new.isOptional ? "DROP" : "SET") NOT NULL"]
        }

        /// The change of the values themselves: the numbers of one type that widens to another are written otherwise.
        var update: String? { widens ? "\(name) = \(widened(name))" : nil }

        /// The value for the new column, of a row of the old table.
        func value(in layout: TableLayout) -> String {
            guard let position else {
                return constant.literal(as: new.type.storage) ?? "NULL::\(new.type.storage.serverType.name)"
            }
            let place = layout.places[position]
            return widens ? widened(place) : place
        }

        private var widens: Bool { old?.type.storage == .integer && new.type.storage == .unsigned }

        private func widened(_ value: String) -> String { "\(value) # (-9223372036854775808)::bigint" }
    }

    extension StoredSchema.Entity {
        /// The entity without its relationships, for a schema that has no other.
        fileprivate var alone: StoredSchema.Entity {
            var entity = self
            entity.relationships = []
            return entity
        }
    }

    /// The rows of a store while its schema changes, in the transaction of its opening.
    final class UpgradeRows: StorageWriting, SessionReading {
        private let session: ServerSession
        private let statements: RowStatements

        init(
            of schema: StoreSchema, as entities: [StoredSchema.Entity], in place: ServerPlace,
            on connection: ServerConnection
        ) {
            session = ServerSession(
                .within, on: connection, EntityTable.all(of: schema, as: entities, in: place), generation: 0,
                identity: nil, in: place)
            statements = RowStatements(session)
        }

        /// Closes what is open on the server.
        func finish() throws(DataStoreError) { try session.flush() }

        func current() throws(DataStoreError) -> ServerSession { session }

        func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
            try statements.apply(mutations)
        }

        var conditionalInserting: (any ConditionalInserting)? { nil }

        func end() { session.end() }

        func commit() throws(DataStoreError) {
            throw DataStoreError(
                .unsupported, "The transaction of an opening is committed by the store.",
                path: session.connection.path)
        }
    }
#endif
