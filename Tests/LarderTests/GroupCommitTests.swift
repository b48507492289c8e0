import Foundation
import Larder
import LarderTesting
import Testing

@Suite struct `Blocks that wait together` {
    private struct OwnError: Error, Equatable {}

    private func makeStore(
        blocks: Int = 64, bytes: Int = 1 << 30, maximumPendingWrites: Int = 10_000,
        hearing handler: (@Sendable (DataStoreDiagnostic) -> Void)? = nil
    ) throws -> TemporaryStore {
        var options = DataStoreOptions()
        if let handler { options.diagnostics = [handler] }
        options.batchLimits.blocks = blocks
        options.batchLimits.bytes = bytes
        // Such that no slow machine ends a batch early.
        options.batchLimits.duration = .seconds(1000)
        options.maximumPendingWrites = maximumPendingWrites
        return try TemporaryStore(storing: [RankedNote.self], options: options)
    }

    /// What became of blocks that were given while the writer was held; each inserts a note, some then throw.
    private func results(
        inserting ids: Range<Int64>, throwing: Set<Int64> = [], in store: TemporaryStore
    ) throws -> [String] {
        let results = Locked<[String]>([])
        let all = DispatchSemaphore(value: 0)
        try store.writeSync { _ in
            for id in ids {
                store.writeAsync({ accessor in
                    try accessor.insert(RankedNote(id))
                    if throwing.contains(id) { throw OwnError() }
                }) { result in
                    results.withLock { $0.append(Self.word(for: result)) }
                    all.signal()
                }
            }
        }
        for _ in ids { all.wait() }
        return results.withLock { $0 }
    }

    private static func word(for result: Result<Void, any Error>) -> String {
        switch result {
        case .success: "stored"
        case .failure(let error as DataStoreError): error.code.rawValue
        case .failure: "own error"
        }
    }

    /// The same, and what the engine was asked for meanwhile.
    private func recorded(
        inserting ids: Range<Int64>, throwing: Set<Int64> = [], in store: TemporaryStore
    ) throws -> (results: [String], recording: StoreRecording) {
        var results: [String] = []
        let recording = try store.record {
            results = try self.results(inserting: ids, throwing: throwing, in: store)
        }
        return (results, recording)
    }

    private func stored(in store: TemporaryStore) throws -> [Int64] {
        try store.read { try $0.ids(for: RankedNote.all) }
    }

    @Test func `share one transaction and one commit, up to the limit`() throws {
        let store = try makeStore(blocks: 10)

        let (results, recording) = try recorded(inserting: 0..<25, in: store)

        #expect(results == Array(repeating: "stored", count: 25))
        #expect(try stored(in: store) == Array(0..<25))
        #expect(recording.commits == 3)
        #expect(recording.count(of: .beginWriting) == 4)  // and that of the block that held the writer
        #expect(recording.count(of: .setSavepoint) == 0)  // an insert is undone by deleting it
    }

    @Test func `are committed earlier when they write much`() throws {
        let store = try makeStore(bytes: 3 * 2 * MemoryLayout<Cell>.size)

        let (_, recording) = try recorded(inserting: 0..<9, in: store)

        #expect(recording.commits == 3)
    }

    @Test func `are committed one by one when time is up`() throws {
        var options = DataStoreOptions()
        options.batchLimits.duration = .zero
        let store = try TemporaryStore(storing: [RankedNote.self], options: options)

        let (_, recording) = try recorded(inserting: 0..<5, in: store)

        #expect(recording.commits == 5)
    }

    @Test func `fail alone with an error of their own`() throws {
        let store = try makeStore()

        let (results, recording) = try recorded(inserting: 0..<6, throwing: [0, 1, 4], in: store)

        #expect(results == ["own error", "own error", "stored", "stored", "own error", "stored"])
        #expect(try stored(in: store) == [2, 3, 5])
        #expect(recording.commits == 1)
    }

    @Test func `all fail when the engine fails in one of them, and what waits behind goes on`() throws {
        let store = try makeStore(blocks: 6)
        // The third is that which undoes the second block.
        store.faults.fail(.apply, number: 5, with: .simulated(.storeFull))

        let (results, recording) = try recorded(inserting: 0..<8, throwing: [1], in: store)

        // The batch ends with the failure; the next begins behind it.
        let expected = ["storeFull", "own error", "storeFull", "storeFull"]
        #expect(results == expected + Array(repeating: "stored", count: 4))
        #expect(try stored(in: store) == [4, 5, 6, 7])
        #expect(recording.count(of: .apply) == 9)  // no body ran twice
    }

    @Test func `all fail when the commit fails`() throws {
        let store = try makeStore(blocks: 4)
        store.faults.failNextWrite(with: .simulated(.storeFull))

        let results = try results(inserting: 0..<6, throwing: [2], in: store)

        #expect(results == ["storeFull", "storeFull", "own error", "storeFull", "stored", "stored"])
        #expect(try stored(in: store) == [4, 5])
    }

    /// The writes of a batch that fails are undone, those that had run well before it too.
    @Test(arguments: [EngineCall.apply, .commit])
    func `report each that they are undone and have failed`(_ call: EngineCall) throws {
        let heard = Locked<[String]>([])
        let store = try makeStore { diagnostic in
            let line: String? =
                switch diagnostic.event {
                case .wrote: "wrote"
                case .committed: "committed"
                case .rolledBack(let error as DataStoreError, _): "undone: \(error.code.rawValue)"
                case .failed(let failure): "\(failure.call) failed"
                default: nil
                }
            if let line { heard.withLock { $0.append(line) } }
        }
        let errors = DispatchSemaphore(value: 0)
        store.errorHandler = { _ in errors.signal() }
        store.faults.fail(call, number: call == .apply ? 3 : 1, with: .simulated(.storeFull))

        #expect(try results(inserting: 0..<3, in: store) == Array(repeating: "storeFull", count: 3))

        let written = Array(repeating: "wrote", count: call == .apply ? 2 : 3)
        let undone = Array(repeating: "undone: storeFull", count: 3)
        let failed = Array(repeating: "writeAsync() failed", count: 3)
        #expect(heard.withLock { $0 } == written + undone + failed)
        for _ in 0..<3 { #expect(errors.wait(timeout: .now() + 20) == .success) }
    }

    @Test func `set a savepoint before the second change only, unless it is the last`() throws {
        let store = try makeStore()
        let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
            { try $0.insert(RankedNote(0)) },
            { try $0.insert(RankedNote(1)).rank = 7 },
            { try $0.mutableItem(id: 0, of: RankedNote.self)?.rank = 8 },
            { accessor in
                try accessor.insert(RankedNote(2))
                try accessor.insert(RankedNote(3))
                try accessor.insert(RankedNote(4))
            },
            { _ = try $0.delete(id: 4, of: RankedNote.self) },
            { _ = try $0.countItems(for: RankedNote.all) },
        ]

        let recording = try store.record {
            try store.writeSync { _ in for block in blocks { store.writeAsync(block) } }
            try store.flush()
        }

        #expect(try store.read { try $0.items(for: RankedNote.all).map(\.rank) } == [8, 7, 2, 3])
        #expect(recording.count(of: .setSavepoint) == 2)
        #expect(recording.commits == 1)
    }

    @Test func `all fail when one of them cannot be undone`() throws {
        let store = try makeStore(blocks: 3)
        // The fourth is that which undoes the third block.
        store.faults.fail(.apply, number: 4, with: .simulated(.storeFull))

        let results = try results(inserting: 0..<4, throwing: [2], in: store)

        #expect(results == ["storeFull", "storeFull", "storeFull", "stored"])
        #expect(try stored(in: store) == [3])
    }

    @Test func `all fail when one of them cannot go back to its savepoint`() throws {
        let store = try makeStore()
        store.faults.fail(.rollBackToSavepoint, with: .simulated(.storeFull))
        let results = Locked<[String]>([])
        let all = DispatchSemaphore(value: 0)
        let note: @Sendable (Result<Void, any Error>) -> Void = { result in
            results.withLock { $0.append(Self.word(for: result)) }
            all.signal()
        }

        try store.writeSync { _ in
            store.writeAsync({ _ = try $0.insert(RankedNote(0)) }, completion: note)
            store.writeAsync(
                { accessor in
                    try accessor.insert(contentsOf: [RankedNote(1)])
                    throw OwnError()
                }, completion: note)
        }
        for _ in 0..<2 { all.wait() }

        #expect(results.withLock { $0 } == ["storeFull", "storeFull"])
        #expect(try stored(in: store) == [])
        #expect(store.faults.unmetCount == 0)
    }

    @Test func `tell observers and hooks nothing when the commit fails`() async throws {
        let store = try makeStore()
        store.faults.failNextWrite(with: .simulated(.storeFull))
        let changes = store.changes

        #expect(try results(inserting: 0..<3, in: store) == ["storeFull", "storeFull", "storeFull"])
        #expect(try results(inserting: 7..<8, in: store) == ["stored"])
        try close(store)

        var sets: [Int] = []
        for await set in changes { sets.append(set.changes.count) }
        #expect(sets == [1])
    }

    private func close(_ store: TemporaryStore) throws { try store.tearDown() }

    @Test func `are at most 10 000 if the app says nothing`() {
        #expect(DataStoreOptions().maximumPendingWrites == 10_000)
    }

    @Test func `are as many as the option says, and further calls wait for room`() throws {
        let limit = 4
        let store = try makeStore(blocks: 1, maximumPendingWrites: limit)
        let (given, started, most) = (Locked(0), Locked(0), Locked(0))
        let isAhead = DispatchSemaphore(value: 0)

        for id in 0..<500 as Range<Int64> {
            store.writeAsync { accessor in
                let running = started.withLock { started in
                    started += 1
                    return started
                }
                // The first waits until the caller has gone as far ahead as it can without room.
                if running == 1 { isAhead.wait() }
                let ahead = given.withLock { $0 } - running
                most.withLock { $0 = max($0, ahead) }
                try accessor.insert(RankedNote(id))
            }
            given.withLock { $0 += 1 }
            if id == Int64(limit) - 1 { isAhead.signal() }
        }
        try store.flush()

        #expect(most.withLock { $0 } <= limit)
        #expect(most.withLock { $0 } > 0)
        #expect(try stored(in: store).count == 500)
    }

    @Test func `may be more than the option says when they are given inside a block`() throws {
        let store = try makeStore(maximumPendingWrites: 2)

        #expect(try results(inserting: 0..<20, in: store) == Array(repeating: "stored", count: 20))
    }
}
