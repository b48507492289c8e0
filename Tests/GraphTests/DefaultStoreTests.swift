import Foundation
import Larder
import LarderDefaultStore
import LarderMemory
import Testing

/// Calls without a store.
///
/// One test sets the store of the process, which the others do not see: each of them has a store of its own.
struct DefaultStoreTests {
    @StoredItem
    struct Tea: Equatable {
        var name: String
    }

    private func openStore(_ names: String...) throws -> MemoryDataStore {
        let store = MemoryDataStore(storing: [Tea.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: names.map { Tea(name: $0) }) }
        return store
    }

    /// Asks for the default store when it is released, and says so.
    private final class Asker: Sendable {
        private let hasAsked: DispatchSemaphore

        init(_ hasAsked: DispatchSemaphore) { self.hasAsked = hasAsked }

        deinit {
            _ = try? DefaultStore.store
            hasAsked.signal()
        }
    }

    /// A store whose options keep what asks for the default store when it is released with them.
    private func makeAskingStore(_ hasAsked: DispatchSemaphore) -> MemoryDataStore {
        var options = DataStoreOptions()
        options.diagnostics = [{ [asker = Asker(hasAsked)] _ in withExtendedLifetime(asker) {} }]
        return MemoryDataStore(storing: [Tea.self], storeOptions: options)
    }

    /// True if the default store may be asked for while it is released.
    private func defaultStoreIsReleasedUnlocked() -> Bool {
        let hasAsked = DispatchSemaphore(value: 0)
        DefaultStore.set(makeAskingStore(hasAsked))
        Thread.detachNewThread { DefaultStore.set(nil) }
        return hasAsked.wait(timeout: .now() + 20) == .success
    }

    @Test func `without a default store a call says how to set one`() async throws {
        let error = #expect(throws: DataStoreError.self) { try Tea.all.items() }

        #expect(error?.code == .notSetUp)
        #expect(error?.message == "A call without a store was made, and there is no default store.")
        #expect(
            error?.advice == """
                Call DefaultStore.set(_:) when the app starts, or make the call inside DefaultStore.withStore(_:_:).
                """)
        let outcome = Locked<DataStoreError.Code?>(nil)
        DefaultStore.writeAsync({ _ in }) { result in
            if case .failure(let error as DataStoreError) = result { outcome.withLock { $0 = error.code } }
        }
        #expect(outcome.withLock { $0 } == .notSetUp)

        DefaultStore.set(try openStore("Assam"))
        let names = try await Task.detached { try Tea.all.items().map(\.name) }.value
        DefaultStore.set(nil)
        #expect(names == ["Assam"])
        try #require(defaultStoreIsReleasedUnlocked())
        let gone = #expect(throws: DataStoreError.self) { try Tea.all.countItems() }
        #expect(gone?.code == .notSetUp)
    }

    @Test func `a write with a completion goes to the store of the task, and hands its value over`() throws {
        let store = try openStore("Assam")
        let counts = Locked<[Int?]>([])
        let isDone = DispatchSemaphore(value: 0)

        DefaultStore.withStore(store) {
            DefaultStore.writeAsync({ accessor in
                try accessor.insert(Tea(name: "Oolong"))
                return try accessor.countItems(for: Tea.all)
            }) { result in
                counts.withLock { $0.append(try? result.get()) }
                isDone.signal()
            }
        }
        isDone.wait()

        #expect(counts.withLock { $0 } == [2])
        let names = try store.read { try $0.items(for: Tea.all.sorted(by: \.name)).map(\.name) }
        #expect(names == ["Assam", "Oolong"])
    }

    @Test func `blocks and requests use the store of the task`() throws {
        let store = try openStore("Assam")

        try DefaultStore.withStore(store) {
            try DefaultStore.writeSync { try $0.insert(Tea(name: "Oolong")) }
            #expect(try Tea.all.sorted(by: \.name).items().map(\.name) == ["Assam", "Oolong"])
            #expect(try Tea.where(\.name == "Oolong").firstItem()?.name == "Oolong")
            #expect(try Tea.all.countItems() == 2)
            #expect(try DefaultStore.read { try $0.countItems(for: Tea.all) } == 2)
            #expect(try DefaultStore.store === store)
        }

        #expect(try store.read { try $0.countItems(for: Tea.all) } == 2)
    }

    @Test func `tasks side by side have stores of their own, and inherit them`() async throws {
        let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 1...8 {
                group.addTask {
                    let store = MemoryDataStore(storing: [Tea.self])
                    try await store.setupAsync()
                    return try await DefaultStore.withStore(store) {
                        for name in 1...number {
                            try await DefaultStore.writeAsync { try $0.insert(Tea(name: "\(name)")) }
                        }
                        let inner = Task { try Tea.all.countItems() }
                        let later = try await DefaultStore.readAsync { try $0.countItems(for: Tea.all) }
                        return [try Tea.all.countItems(), try await inner.value, later]
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(counts.sorted { $0[0] < $1[0] } == (1...8).map { [$0, $0, $0] })
    }

    @Test func `an inner store hides the outer one until its body has ended`() throws {
        let (outer, inner) = (try openStore("Assam"), try openStore("Oolong", "Sencha"))

        let counts = try DefaultStore.withStore(outer) {
            let hidden = try DefaultStore.withStore(inner) { try Tea.all.countItems() }
            return [hidden, try Tea.all.countItems()]
        }

        #expect(counts == [2, 1])
    }
}
