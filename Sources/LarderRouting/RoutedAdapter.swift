import LarderKernel
import LarderVersions

/// The adapter of a ``RoutedDataStore``: passes each call to the part that keeps the entity.
///
/// Everything above the seam is as over one engine. Two things are its own: the snapshots of all parts are of one
/// moment, and a commit over several parts is whole.
final class RoutedAdapter: StorageAdapter {
    let parts: [Part]
    let gate = CommitGate()
    private let declared: [StorePart]
    private let keys: [PartKey]
    private let state = Locked(State())

    struct Part: Sendable {
        let name: String
        let adapter: any StorageAdapter
        let mayBeLost: Bool
    }

    private struct State {
        /// The entities of the open parts, and the identity that all parts have.
        var opened: (schema: RoutedSchema, identity: String)?
        /// The last commit over several parts that is known to be in all of them, in those too that were left out.
        var finished: Int64 = 0
        /// The last one that all open parts have.
        var repeated: Int64 = 0
        /// The last one of which the first part knows that it is in all of them.
        var notedFinished: Int64 = 0
    }

    init(_ parts: [StorePart], partitionedBy keys: [PartKey]) {
        declared = parts
        self.keys = keys
        self.parts = parts.map { part in
            Part(name: part.name, adapter: part.coordinator.adapter, mayBeLost: part.mayBeLost)
        }
    }

    var location: String { parts.map(\.adapter.location).joined(separator: ", ") }

    var maximumReaders: Int { parts.map(\.adapter.maximumReaders).min() ?? .max }

    var isReadOnly: Bool { parts.contains { $0.adapter.isReadOnly } }

    /// The entities of all parts, each part's without the library's own; relationships are in the app's types alone.
    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        var stored: [StoredSchema?] = []
        for part in parts { stored.append(try part.adapter.storedSchema()) }
        return StoredSchema(merging: stored, naming: typeNames)
    }

    /// For each part the names of its item types, and their earlier ones.
    var typeNames: [Set<UTF8Key>] {
        declared.map { part in
            let schemas = part.coordinator.itemTypes.map { $0.schema }
            return Set((schemas.map(\.name) + schemas.compactMap(\.originalName)).map { UTF8Key($0) })
        }
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try requireSoundParts()
        let routed = try RoutedSchema(schema, over: declared, partitionedBy: keys)
        let stored = try openParts(routed, by: plan)
        do throws(DataStoreError) {
            let identity = try identify(routed, since: stored)
            state.withLock { $0.opened = (routed, identity) }
            try placeItems(routed)
        } catch {
            try? close()
            throw error
        }
    }

    private func requireSoundParts() throws(DataStoreError) {
        if parts.isEmpty {
            throw DataStoreError(
                .invalidSchema, "A routed store has no part.", advice: "Name at least one part.")
        }
        var names: Set<UTF8Key> = []
        for part in parts where !names.insert(UTF8Key(part.name)).inserted {
            throw DataStoreError(
                .invalidSchema, "Two parts are called \"\(part.name)\".",
                advice: "Give each part a name of its own.")
        }
        if isReadOnly, let part = parts.first(where: { !$0.adapter.isReadOnly }) {
            throw DataStoreError(
                .unsupported, "The part \"\(part.name)\" may be written to, and another part is read-only.",
                advice: "Open all parts read-only, or none.", path: part.adapter.location)
        }
    }

    func close() throws(DataStoreError) {
        let last = state.exchange(State())
        // Without it, a part cannot be left out, which does no harm.
        if let opened = last.opened, last.finished > last.notedFinished {
            try? storeFinished(last.finished, opened.schema)
        }
        try forEachPart { part throws(DataStoreError) in try part.adapter.close() }
    }

    func destroy() throws(DataStoreError) {
        if isReadOnly { throw DataStoreError.readOnly(destroying: location) }
        try forEachPart { part throws(DataStoreError) in try part.adapter.destroy() }
    }

    /// Calls a body for every part, the first one last, even if it fails for one; then throws the first error.
    private func forEachPart(_ body: (Part) throws(DataStoreError) -> Void) throws(DataStoreError) {
        var failure: DataStoreError?
        for part in parts.reversed() {
            do throws(DataStoreError) { try body(part) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        if isReadOnly { throw DataStoreError.readOnly(destroying: location) }
        var places: [String] = []
        for part in unreadablePartsLast() {
            var isStillNeeded = true
            // Asked while the part is locked, as another process may have been faster, and until a part has moved.
            let place = try part.adapter.setAside { () throws(DataStoreError) in
                if places.isEmpty { isStillNeeded = try isNeeded() }
                return isStillNeeded
            }
            guard isStillNeeded else { return nil }
            if let place { places.append(place) }
        }
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }

    /// The parts in the order in which they are set aside.
    ///
    /// If the process is killed between two of them, the error of the last one lets the next opening continue.
    private func unreadablePartsLast() -> [Part] {
        var (readable, others): ([Part], [Part]) = ([], [])
        for part in parts {
            let stored = try? part.adapter.storedSchema()
            if stored == nil { others.append(part) } else { readable.append(part) }
        }
        return readable + others
    }

    func beginReading() throws(DataStoreError) -> any StorageReading {
        try beginReading { part throws(DataStoreError) in try part.adapter.beginReading() }
    }

    func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        try beginReading { part throws(DataStoreError) in try part.adapter.beginCancellableReading() }
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting { try beginRoutedWriting() }

    func beginRoutedWriting() throws(DataStoreError) -> RoutedWriting {
        let schema = try opened().schema
        gate.takeWriter()
        let writing = RoutedWriting(schema, of: self)
        do throws(DataStoreError) {
            try writing.begin()
            gate.noteWriterBegan()
        } catch {
            writing.end()
            throw error
        }
        return writing
    }

    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        var watches: [any StorageWatch] = []
        do throws(DataStoreError) {
            for part in parts {
                if let watch = try part.adapter.watchOtherWriters(body) { watches.append(watch) }
            }
        } catch {
            for watch in watches { watch.end() }
            throw error
        }
        return watches.isEmpty ? nil : PartWatches(watches)
    }
}

extension RoutedAdapter {
    func opened() throws(DataStoreError) -> (schema: RoutedSchema, identity: String) {
        guard let opened = state.withLock({ $0.opened }) else {
            throw DataStoreError(.notSetUp, "The store over several parts is not open.", path: location)
        }
        return opened
    }

    var finishedCommit: Int64 { state.withLock { $0.finished } }
    /// The last commit over several parts that is known to be in all open parts.
    var repeatedCommit: Int64 { state.withLock { max($0.finished, $0.repeated) } }

    func noteRepeated(_ commit: Int64) {
        state.withLock { $0.repeated = max($0.repeated, commit) }
    }

    /// - Parameter isStored: True if the first part knows it.
    func noteFinished(_ commit: Int64, isStored: Bool = false) {
        state.withLock { state in
            state.finished = max(state.finished, commit)
            if isStored { state.notedFinished = commit }
        }
    }

    /// Lets the writer ask all parts for the last commit, even if it is the first one.
    func forgetFinished() {
        state.withLock { ($0.finished, $0.repeated, $0.notedFinished) = (-1, -1, -1) }
    }
}

/// The watches of the parts.
private final class PartWatches: StorageWatch {
    private let watches: [any StorageWatch]

    init(_ watches: [any StorageWatch]) { self.watches = watches }

    func end() {
        for watch in watches { watch.end() }
    }
}
