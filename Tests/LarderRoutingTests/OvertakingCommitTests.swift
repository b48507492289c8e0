import Foundation
import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// A block whose snapshots of the parts take longer than a commit waits for.
@Suite struct OvertakingCommitTests {
    @Test func `a commit overtakes a block that begins slowly, which then sees all parts after it`() throws {
        let held = Locked(HeldAdapter.State.passing)
        let cooks = DecoratedStore(MemoryDataStore(storing: [Cook.self])) { HeldAdapter($0, held) }
        let store = RoutedDataStore([
            StorePart("cooks", cooks), StorePart("dishes", MemoryDataStore(storing: [Dish.self])),
        ])
        try store.setup()
        held.withLock { $0 = .expecting }

        let seen = try whileRunning { () throws -> [String] in
            try store.read { accessor in
                let cooks = try accessor.items(for: Cook.all)
                let dishes = try accessor.items(for: Dish.all)
                return cooks.map(\.name) + dishes.map(\.name)
            }
        } do: {
            while held.withLock({ $0 }) != .holding { usleep(1000) }
            // Each changes one part, so that the records of the parts do not show it.
            try store.writeSync { _ = try $0.insert(Cook(1, name: "cook 1")) }
            try store.writeSync { _ = try $0.insert(Dish(1, name: "dish 1")) }
            held.withLock { $0 = .passing }
        }

        #expect(seen == ["cook 1", "dish 1"])
    }

    @Test func `a block that commits overtake more often than it asks for the records sees all of them`()
        throws
    {
        let held = Locked(HeldAdapter.State.passing)
        let cooks = DecoratedStore(MemoryDataStore(storing: [Cook.self])) { HeldAdapter($0, held) }
        let store = RoutedDataStore([
            StorePart("cooks", cooks), StorePart("dishes", MemoryDataStore(storing: [Dish.self])),
        ])
        try store.setup()
        held.withLock { $0 = .expecting }

        let count = try whileRunning { () throws -> Int in
            try store.read { try $0.countItems(for: Cook.all) }
        } do: {
            let end = ContinuousClock.now + .seconds(60)
            for number in 1...13 {
                while held.withLock({ $0 }) != .holding, ContinuousClock.now < end { usleep(1000) }
                try store.writeSync { _ = try $0.insert(Cook(Int64(number), name: "cook \(number)")) }
                held.withLock { $0 = number < 13 ? .expecting : .passing }
            }
        }

        #expect(count == 13)
    }
}

/// An adapter that holds a block back when its snapshot is taken.
private final class HeldAdapter: AdapterDecorator {
    enum State {
        case passing
        /// The next block is held.
        case expecting
        case holding
    }

    let wrappedAdapter: any StorageAdapter
    private let held: Locked<State>

    init(_ adapter: any StorageAdapter, _ held: Locked<State>) {
        wrappedAdapter = adapter
        self.held = held
    }

    func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
        let isHeld = held.withLock { held in
            if held == .expecting { held = .holding }
            return held == .holding
        }
        // A commit that waits for the block would wait for ever.
        let end = ContinuousClock.now + .seconds(20)
        while isHeld, held.withLock({ $0 }) == .holding, ContinuousClock.now < end { usleep(1000) }
        return reading
    }
}
