import Larder

/// A store that is open: its file, its readers and its writer.
final class SQLiteStore: @unchecked Sendable {
    // reason: `writer` and `isWriting` are only touched with `writerLock` held, and the writer belongs to
    // whoever has taken it.
    let connector: StoreConnector
    let tables: [EntityTable]
    /// The item types the store was opened with.
    let declared: StoreSchema
    /// The schema of everything in the store, also of what the app does not know.
    let schema: StoredSchema
    let readers: ReaderPool
    /// What was beside a file that is only read.
    private let trace: OpeningTrace?
    private let forkCount = ForkCount.current
    private let writerLock = Lock()
    private var writer: SQLiteWriter?
    private var isWriting = false

    /// - Parameter opened: Belongs to the store from now on.
    init(_ opened: OpenedFile, schema: StoreSchema, stored: StoredSchema) {
        let connector = opened.connector
        self.connector = connector
        trace = connector.options.isReadOnly ? opened.trace : nil
        self.schema = stored
        declared = schema
        let tables = Self.tables(of: schema, in: stored)
        self.tables = tables
        let generation = stored.generation
        readers = ReaderPool(
            first: SQLiteSession(
                connection: opened.connection, tables: tables, generation: generation,
                isSchemaKnown: true)
        ) { () throws(DataStoreError) in
            SQLiteSession(
                connection: try connector.connect(for: .reading), tables: tables, generation: generation)
        }
    }

    private static func tables(of schema: StoreSchema, in stored: StoredSchema) -> [EntityTable] {
        schema.entities.enumerated().compactMap { number, entity in
            stored.entity(named: entity.name).map { EntityTable(number: number, schema: entity, stored: $0) }
        }
    }

    func beginReading() throws(DataStoreError) -> SQLiteReadTransaction {
        SQLiteReadTransaction(session: try takeReader(), of: self)
    }

    /// A connection to read with, which whoever ends its transaction gives back to ``readers``.
    func takeReader() throws(DataStoreError) -> SQLiteSession {
        try requireSameProcess()
        try connector.requireNoWriter()
        return try readers.take(releasingWriter: releaseWriterCache)
    }

    func beginWriting() throws(DataStoreError) -> SQLiteWriteTransaction {
        let writer = try takeWriter()
        do {
            try writer.session.commands.run(.beginWriting)
            readers.releaseIdleCaches()
        } catch {
            giveBackWriter()
            throw error
        }
        return SQLiteWriteTransaction(writer: writer, store: self)
    }

    /// Runs a body on a reader's connection, in a transaction of its own.
    func inSnapshot<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let session = try takeReader()
        defer {
            session.reset()
            session.commands.rollBackIfNeeded()
            readers.giveBack(session)
        }
        try session.commands.run(.begin)
        try session.requireGeneration()
        return try body(session)
    }

    private func requireSameProcess() throws(DataStoreError) {
        if ForkCount.current != forkCount {
            throw DataStoreError(
                .usedAfterFork, "The store was opened before the process was forked.",
                path: connector.file.path)
        }
    }
}

// MARK: The writer

extension SQLiteStore {
    /// The writing connection, for a transaction or a tool.
    func takeWriter() throws(DataStoreError) -> SQLiteWriter {
        try requireSameProcess()
        guard !connector.options.isReadOnly else {
            throw DataStoreError(
                .readOnly, "The store was opened to be read only.", path: connector.file.path)
        }
        try connector.file.requireInPlace()
        return try writerLock.withLock { () throws(DataStoreError) in
            guard !isWriting else {
                throw DataStoreError(.nestedTransaction, "A write transaction of the store is open already.")
            }
            let writer: SQLiteWriter
            if let opened = self.writer { writer = opened } else { writer = try openWriter() }
            self.writer = writer
            isWriting = true
            return writer
        }
    }

    /// Frees the writer's cache, unless it is being used.
    private func releaseWriterCache() {
        writerLock.withLock {
            if !isWriting { writer?.session.connection.releaseCache() }
        }
    }

    func giveBackWriter() {
        writerLock.withLock { isWriting = false }
    }

    private func openWriter() throws(DataStoreError) -> SQLiteWriter {
        let connection = try connector.connect(for: .writing)
        let session = SQLiteSession(connection: connection, tables: tables, generation: schema.generation)
        do {
            return try SQLiteWriter(session: session, policy: connector.options.checkpointPolicy)
        } catch {
            session.close()
            throw error
        }
    }
}

// MARK: Closing

extension SQLiteStore {
    /// Closes all connections and lets the file go.
    ///
    /// The last one of all processes empties the log into the file.
    ///
    /// In a forked process nothing is touched: the connections are the other process's.
    func close() throws(DataStoreError) {
        guard ForkCount.current == forkCount else {
            _ = Unmanaged.passRetained(self)
            return
        }
        guard let sessions = readers.retire() else {
            throw DataStoreError(
                .nestedTransaction,
                "The store cannot be closed while \(readers.takenCount) read transactions are open.",
                path: connector.file.path)
        }
        OpenFileRegistry.shared.release([connector.file.identity]) {
            for session in sessions { session.close() }
            writerLock.withLock {
                writer?.close()
                writer = nil
            }
            trace?.putBack()
        }
    }
}
