import Larder
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Deletions of many items need memory for few of them.
struct LargeDeletionTests {
    private static let subjects = Subjects.chosen(from: Subjects.engines)
    private static let count = Int64(Repetitions.count(4_000, long: 200_000))
    /// A chain is as many waves as it has links.
    private static let chainCount = Int64(Repetitions.count(1_000, long: 200_000))

    /// Deletes the first of some nodes, and returns the most identifiers that were held in memory.
    private func largest(
        _ subject: ConformanceSubject, leaving rest: Int, of nodes: @escaping @Sendable () -> [Node]
    ) async throws -> Int {
        let largest = Locked(0)
        let measured = Locked(0)
        let testCase = ConformanceCase("Deletes many items", proves: 11) { world in
            let store = try world.open(Node.self, Leaf.self) { options in
                options.deletionProbe = { count in largest.withLock { $0 = max($0, count) } }
            }
            try store.writeSync { try $0.insert(contentsOf: nodes()) }
            try store.writeSync { _ = try $0.delete(id: 1, of: Node.self) }
            let left = try store.read { try $0.countItems(for: Node.all) }
            if left != rest { throw GraphRun.Mismatch(description: "\(left) items are left of \(rest)") }
            measured.withLock { $0 = largest.withLock { $0 } }
            // What is checked after every case takes long with many items.
            try store.writeSync { _ = try $0.deleteAllItems(of: Node.self) }
        }
        try await ConformanceSuite.run(testCase, on: subject, within: 600)
        return measured.withLock { $0 }
    }

    @Test(arguments: subjects)
    func `a chain is deleted with one item in memory`(subject: ConformanceSubject) async throws {
        let count = Self.chainCount
        let largest = try await largest(subject, leaving: 0) {
            (1...count).map { Node($0, \.parent, $0 == 1 ? nil : $0 - 1) }
        }

        #expect(largest == 1)
    }

    @Test(arguments: subjects)
    func `a chain by own references is deleted wave by wave`(
        subject: ConformanceSubject
    ) async throws {
        let count = Self.count
        let largest = try await largest(subject, leaving: 0) {
            (1...count).map { Node($0, \.tail, $0 == count ? 1 : $0 + 1) }
        }

        #expect(largest == 257)
    }

    @Test(arguments: subjects)
    func `a parent is deleted with its children wave by wave`(subject: ConformanceSubject) async throws {
        let count = Self.count
        let largest = try await largest(subject, leaving: 0) {
            (1...count).map { Node($0, \.parent, $0 == 1 ? nil : 1) }
        }

        #expect(largest == 257)
    }

    @Test(arguments: subjects)
    func `a tree needs some hundred items in memory for each level`(
        subject: ConformanceSubject
    ) async throws {
        let count = Self.count
        let largest = try await largest(subject, leaving: 0) {
            (1...count).map { Node($0, \.parent, $0 == 1 ? nil : max(1, $0 / 12)) }
        }

        #expect(largest <= 5 * 256)
    }

    @Test(arguments: subjects)
    func `many items are freed wave by wave`(subject: ConformanceSubject) async throws {
        let count = Self.count
        let largest = try await largest(subject, leaving: Int(count) - 1) {
            (1...count).map { Node($0, \.friend, $0 == 1 ? nil : 1) }
        }

        #expect(largest <= 1)
    }

    @Test(arguments: subjects)
    func `guardians that go with their wards are forgotten on the way`(
        subject: ConformanceSubject
    ) async throws {
        let count = Self.chainCount
        let largest = try await largest(subject, leaving: 0) {
            // Each guards its own parent, which is deleted before it.
            (1...count).map { number in
                var node = Node(number, \.parent, number == 1 ? nil : number - 1)
                node.guardian = number == count ? nil : ToOne(id: number + 1)
                node.anchor = number == count ? nil : ToOne(id: number + 1)
                return node
            }
        }

        #expect(largest <= 4096 + 256)
    }

    @Test(arguments: subjects)
    func `a chain of rows that wait goes with the first one at once`(
        subject: ConformanceSubject
    ) async throws {
        let waves = Locked(0)
        let measured = Locked(0)
        let testCase = ConformanceCase("Deletes rows that wait", proves: 11, 15) { world in
            let store = try world.open(Depot.self, Parcel.self) { options in
                options.deletionProbe = { _ in waves.withLock { $0 += 1 } }
            }
            let count: Int64 = 1_000
            let stored = (1...count).map { Parcel($0, label: Int($0)) }
            // Each waits for the label of a stored one, and is deleted with the one before it.
            let chain = (1...count).map { number in
                Parcel(
                    count + number, label: Int(number), \.parent, number == 1 ? nil : count + number - 1)
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: stored)
                try accessor.insert(Depot(1, parcels: stored.map(\.id)))
                // The second source leaves out the first one.
                try accessor.importItems(from: [chain, Array(chain.dropFirst())], using: Depot.map)
            }
            let left = try store.read { try $0.countItems(for: Parcel.all) }
            if left != 0 { throw GraphRun.Mismatch(description: "\(left) items are left of 0") }
            measured.withLock { $0 = waves.withLock { $0 } }
        }
        try await ConformanceSuite.run(testCase, on: subject, within: 600)

        // Some for some hundred rows, and not one for each.
        let count = measured.withLock { $0 }
        #expect(count > 0 && count < 100)
    }
}
