import LarderKernel
import LarderEngine

/// Checks a whole store: SQLite's pages, the store's metadata, and every row as it is read.
struct StoreCheck {
    private let store: SQLiteStore
    private let session: SQLiteSession

    /// - Parameter session: Has a snapshot open.
    init(of store: SQLiteStore, _ session: SQLiteSession) {
        self.store = store
        self.session = session
    }

    /// - Throws: Errors that prevent further reading; damage is returned.
    func problems() throws(DataStoreError) -> [String] {
        let connection = session.connection
        var invariants = StoreInvariants(of: store.declared, in: session)
        do throws(DataStoreError) {
            for line in try connection.reportedProblems("PRAGMA integrity_check") { invariants.note(line) }
            let stored = try StoreMetadata.schema(on: connection)
            try requireIdentity(of: stored)
            let agreement = TableAgreement(schema: stored, connection: connection)
            for problem in try agreement.problems() { invariants.note(problem) }
        } catch {
            try invariants.note(error)
        }
        try invariants.check()
        return Array((invariants.problems + (try problemsOfUnknownTypes())).prefix(StoreInvariants.limit))
    }

    /// The item types that the app does not know, by the schema the store keeps.
    private func problemsOfUnknownTypes() throws(DataStoreError) -> [String] {
        var unknown = store.schema.entities.filter { entity in
            !store.declared.entities.contains { UTF8Text.areEqual($0.name, entity.name) }
        }
        // They may refer to the app's types, whose rows are not read here.
        for position in unknown.indices { unknown[position].relationships = [] }
        if unknown.isEmpty { return [] }
        let schema = StoredSchema(
            generation: 0, entities: unknown, nextEntityNumber: store.schema.nextEntityNumber)
        let reading = SQLiteSession(reading: unknown, on: session.connection)
        defer { reading.end() }
        var invariants = StoreInvariants(of: try StoreSchema(of: schema), in: reading)
        try invariants.check()
        return invariants.problems
    }

    /// The two numbers in the file's header by which a store is recognized; the next opening checks them.
    private func requireIdentity(of schema: StoredSchema) throws(DataStoreError) {
        let identity = UInt32(truncatingIfNeeded: try session.connection.integer("PRAGMA application_id"))
        let version = try session.connection.integer("PRAGMA user_version")
        guard identity == StoreMetadata.applicationID, version == schema.formatVersion else {
            throw DataStoreError(
                .damaged,
                "The file's header has the application_id \(identity) and the user_version \(version).")
        }
    }
}
