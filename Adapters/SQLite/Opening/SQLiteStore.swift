import LarderEngine
import LarderKernel
import LarderSQL
import LarderFiles

/// A store that is open: its file, its readers and its writer.
final class SQLiteStore: OpenFileStore, @unchecked Sendable {
    // reason: `writer` belongs to the caller that has claimed writing, and is only touched by others while
    // it is unclaimed.
    let connector: StoreConnector
    let tables: [EntityTable]
    /// The item types the store was opened with.
    let declared: StoreSchema
    /// The schema of everything in the store, including types that the app does not know.
    let schema: StoredSchema
    let readers: SQLiteReaders
    /// The files beside a read-only store.
    private let trace: OpeningTrace?
    /// The files that commits of other processes are written to.
    private let watchedFiles: [String]
    private let openFile: OpenStoreFile
    private let number: HeldNumber?
    private var writer: SQLiteWriter?
    /// The log and its index, once they are known; belongs to the caller that has claimed writing, too.
    private var logFiles: [(path: String, identity: FileIdentity)]?

    /// - Parameter claimed: Belongs to the store from now on.
    init(_ claimed: ClaimedFile, schema: StoreSchema, stored: StoredSchema) {
        let connector = claimed.connector
        self.connector = connector
        openFile = OpenStoreFile(connector.file, isReadOnly: connector.options.isReadOnly)
        trace = connector.options.isReadOnly ? claimed.trace : nil
        number = claimed.number
        // Another tool may have turned the log off, which only a store that writes turns on again.
        let mayLackLog = connector.options.isReadOnly && !claimed.header.usesLog
        #if canImport(Darwin)
            // A watch of the file would drop SQLite's locks on it when it ends. A commit makes and removes a journal.
            let written = [connector.file.journalPath, FileAccess.parts(of: connector.file.path).folder]
        #else
            let written = [connector.file.path]
        #endif
        watchedFiles = [connector.file.logPath] + (mayLackLog ? written : [])
        self.schema = stored
        declared = schema
        let tables = Self.tables(of: schema, in: stored)
        self.tables = tables
        let generation = stored.generation
        readers = SQLiteReaders(
            first: SQLiteSession(
                connection: claimed.connection, tables: tables, generation: generation,
                isSchemaKnown: true, callsFunctions: connector.options.callsFunctions)
        ) { () throws(DataStoreError) in
            SQLiteSession(
                connection: try connector.connect(for: .reading), tables: tables, generation: generation,
                callsFunctions: connector.options.callsFunctions)
        }
        // The connection has read the schema, so that it uses the log until it is closed.
        if claimed.header.usesLog { noteLogFiles() }
    }

    private static func tables(of schema: StoreSchema, in stored: StoredSchema) -> [EntityTable] {
        schema.entities.enumerated().compactMap { number, entity in
            stored.entity(named: entity.name).map { EntityTable(number: number, schema: entity, stored: $0) }
        }
    }

    func beginReading() throws(DataStoreError) -> SQLiteReadTransaction {
        SQLiteReadTransaction(session: try acquireReader(), of: self)
    }

    /// A connection to read with; the end of its transaction releases it to ``readers``.
    func acquireReader() throws(DataStoreError) -> SQLiteSession {
        try openFile.requireSameProcess()
        if try connector.hasWriter() { throw openFile.hasWriter }
        return try readers.acquire(releasingWriter: releaseWriterCache)
    }

    func beginWriting() throws(DataStoreError) -> SQLiteWriteTransaction {
        let writer = try acquireWriter()
        do {
            try writer.session.commands.run(.beginWriting)
            // The files may have gone while this writer waited for another.
            try requireLogInPlace()
            noteLogFiles()
            readers.releaseIdleCaches()
        } catch {
            writer.session.commands.rollBackIfNeeded()
            releaseWriter()
            throw error
        }
        return SQLiteWriteTransaction(writer: writer, store: self)
    }

    /// Runs a body on a reader's connection, in a transaction of its own.
    func inSnapshot<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let session = try acquireReader()
        defer {
            session.reset()
            session.commands.rollBackIfNeeded()
            readers.release(session)
        }
        try session.commands.run(.begin)
        try session.requireGeneration()
        return try body(session)
    }
}

// MARK: Other processes

extension SQLiteStore {
    /// Watches the log, which each commit is written to, or what is written to if there is none, and asks SQLite if
    /// another connection has changed the file.
    ///
    /// Asked on the connection that writes, this leaves out the store's own commits.
    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        // Without SQLite's locks no process can write, or reading is refused as soon as one does.
        if connector.access == .immutable { return nil }
        return try openFile.watchOtherWriters(
            of: watchedFiles,
            count: { [weak self] () throws(DataStoreError) in try self?.foreignVersion() }, body)
    }

    /// A number that differs after a commit of another connection than the writer's.
    ///
    /// *Rule:* nothing writes.
    private func foreignVersion() throws(DataStoreError) -> Int {
        // A store that is read-only opens one that writes nothing, to have the number of one connection.
        return try openWriter().session.connection.dataVersion()
    }
}

// MARK: The writer

extension SQLiteStore {
    /// The writing connection, for a transaction or a tool.
    func acquireWriter() throws(DataStoreError) -> SQLiteWriter {
        try openFile.claimWriting()
        do {
            return try openWriter()
        } catch {
            openFile.releaseWriting()
            throw error
        }
    }

    /// Notes which files the log and its index are: SQLite neither removes nor replaces them while a connection uses them.
    ///
    /// *Rule:* called while a connection uses the log.
    private func noteLogFiles() {
        guard logFiles == nil else { return }
        let paths = [connector.file.logPath, connector.file.indexPath]
        let found = paths.compactMap { path in
            (try? FileAccess.status(at: path)).map { (path: path, identity: $0.identity) }
        }
        if found.count == paths.count { logFiles = found }
    }

    /// Checks that the paths still lead to the log and the index that are used: a process that opens the store makes new
    /// ones if they are gone, and would write beside this one.
    ///
    /// *Cost:* two system calls.
    ///
    /// - Throws: `.storeFileMoved`.
    func requireLogInPlace() throws(DataStoreError) {
        for file in logFiles ?? [] where !FileAccess.isFile(file.identity, at: file.path) {
            let name = FileAccess.parts(of: file.path).name
            throw DataStoreError(
                .storeFileMoved, "The file \(name) was moved, replaced or deleted while the store was open.",
                advice: "Tear the store down in all processes, then set it up again.",
                path: connector.file.path)
        }
    }

    /// Frees the writer's cache, unless it is being used.
    private func releaseWriterCache() {
        openFile.whileNotWriting { writer?.session.connection.releaseCache() }
    }

    func releaseWriter() {
        openFile.releaseWriting()
    }

    /// The writing connection, which is opened when it is needed for the first time.
    private func openWriter() throws(DataStoreError) -> SQLiteWriter {
        if let writer { return writer }
        // A connection would make files that are gone.
        try requireLogInPlace()
        let connection = try connector.connect(for: .writing)
        let session = SQLiteSession(
            connection: connection, tables: tables, generation: schema.generation,
            callsFunctions: connector.options.callsFunctions)
        do {
            let opened = try SQLiteWriter(session: session, policy: connector.options.checkpointPolicy)
            writer = opened
            return opened
        } catch {
            session.close()
            throw error
        }
    }
}

// MARK: Closing

extension SQLiteStore {
    /// Closes all connections and releases the claim of the file.
    ///
    /// The last one of all processes empties the log into the file.
    ///
    /// In a forked process nothing is touched: the connections are the other process's.
    func close() throws(DataStoreError) {
        if openFile.isForked(abandoning: self) { return }
        let sessions = try readers.close(path: connector.file.path)
        OpenFileRegistry.shared.release([connector.file.identity]) {
            for session in sessions { session.close() }
            writer?.close()
            writer = nil
            number?.release()
            trace?.putBack()
        }
    }
}
