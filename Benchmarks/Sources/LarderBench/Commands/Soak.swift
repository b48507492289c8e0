import Dispatch
import Foundation
import Larder

/// A writer that moves reviews from one restaurant to another, and readers that add them up.
final class Soak: Sendable {
    private static let restaurants = 200

    private let store: any DataStore
    private let seed: UInt64
    private let isStopped = SharedValue(false)
    private let counted = SharedValue(SoakOutcome())
    private let total: Int64
    private let items: [LarderRestaurant]

    init(_ store: any DataStore, seed: UInt64) {
        self.store = store
        self.seed = seed
        items = Dataset(count: Self.restaurants, seed: seed).records(as: LarderRestaurant.self)
        total = items.reduce(0) { $0 + $1.reviews }
    }

    var outcome: SoakOutcome { counted.value }

    func fill() throws {
        try store.writeSync { try $0.insert(contentsOf: items) }
    }

    func stop() {
        isStopped.value = true
    }

    /// - Returns: Signalled when the thread has ended.
    func startWriter() -> DispatchSemaphore {
        var random = SeededGenerator(seed: seed)
        return start { [self] in
            let from = Int64.random(in: 1...Int64(Self.restaurants), using: &random)
            let to = Int64.random(in: 1...Int64(Self.restaurants), using: &random)
            try store.writeSync { accessor in
                guard let giver = try accessor.mutableItem(id: from, of: LarderRestaurant.self),
                    let taker = try accessor.mutableItem(id: to, of: LarderRestaurant.self)
                else { throw WrongAnswer(asked: "\(from) and \(to)", expected: "two items", found: "less") }
                giver.reviews -= 1
                taker.reviews += 1
            }
            counted.change { $0.commits += 1 }
        }
    }

    func startReader(_ number: Int) -> DispatchSemaphore {
        var random = SeededGenerator(seed: seed &+ UInt64(number) &+ 1)
        return start { [self] in
            let id = Int64.random(in: 1...Int64(Self.restaurants), using: &random)
            let clock = ContinuousClock()
            let start = clock.now
            try store.read { try check($0, id: id) }
            let time = clock.now - start
            counted.change {
                $0.reads += 1
                $0.longestRead = max($0.longestRead, time)
            }
        }
    }

    /// Everything that one block sees is one state.
    private func check(_ accessor: DataStoreReadAccessor, id: Int64) throws {
        let all = try accessor.items(for: LarderRestaurant.all)
        let sum = all.reduce(0) { $0 + $1.reviews }
        guard sum == total else { throw WrongAnswer(asked: "sum of reviews", expected: total, found: sum) }
        let one = try accessor.item(id: id, of: LarderRestaurant.self)
        let scanned = all.first { $0.id == id }
        guard one?.reviews == scanned?.reviews else {
            throw WrongAnswer(asked: "item \(id)", expected: scanned?.reviews, found: one?.reviews)
        }
    }

    /// Does a step again and again on a thread of its own; an error is kept, and the thread goes on.
    private func start(_ step: @escaping () throws -> Void) -> DispatchSemaphore {
        let ended = DispatchSemaphore(value: 0)
        let loan = Loan(step)
        let thread = Thread { [self] in
            while !isStopped.value {
                do {
                    try loan.value()
                } catch {
                    counted.change { $0.errors.append("\(error)") }
                }
            }
            ended.signal()
        }
        thread.start()
        return ended
    }
}
