import Larder
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// A merge leaves a parent that has not changed with exactly what the child shows: what the same changes leave in
/// a store of its own.
///
/// Whatever both sides have done, each policy leaves a sound store.
///
/// To repeat a failure, give its seed: `LARDER_SEED=123 swift test --filter MergeTwinTests`.
struct MergeTwinTests {
    private static let subjects = Subjects.chosen(from: Subjects.engines)

    @Test(arguments: subjects)
    func `a store equals its twin after merges of what was done to its children`(
        subject: ConformanceSubject
    ) async throws {
        try await run("Twins", 60, on: subject) { twin, world in
            let store = try world.open(Node.self, Leaf.self, Plot.self)
            let other = try world.openElsewhere(Node.self, Leaf.self, Plot.self)
            for _ in 0..<6 { try twin.change([store, other], calls: 8) }
            for _ in 0..<3 {
                let child = try store.makeChildDataStore()
                let depth = twin.generator.number(below: 3)
                let nested = depth == 0 ? child : try child.makeChildDataStore()
                for _ in 0...twin.generator.number(below: 3) {
                    if depth == 2 { try twin.change([child, other], calls: 3) }
                    try twin.change([nested, other], calls: 1 + twin.generator.number(below: 6))
                    if depth == 2 { try child.merge(nested) }
                }
                try twin.requireEqual(nested, other, "the child")
                if depth > 0 {
                    twin.journal.note("merge into the child")
                    try child.merge(nested)
                    try twin.requireEqual(child, other, "the child after its own child's merge")
                }
                let staged = try child.stagedChanges.changes.filter {
                    if case .deleted = $0.kind { true } else { false }
                }.count
                twin.journal.note("merge")
                let result = try store.merge(child)
                try twin.requireEqual(store, other, "the store")
                if result.deleted != staged {
                    throw twin.journal.mismatch(expected: "\(staged) deleted", actual: "\(result.deleted)")
                }
                if !result.settled.isEmpty {
                    throw twin.journal.mismatch(expected: "no conflict", actual: "\(result.settled)")
                }
            }
        }
    }

    @Test(arguments: subjects)
    func `every policy leaves a sound store, whatever both sides have done`(
        subject: ConformanceSubject
    ) async throws {
        try await run("Both sides", 60, on: subject) { twin, world in
            let store = try world.open(Node.self, Leaf.self, Plot.self)
            for _ in 0..<6 { try twin.change([store], calls: 8) }
            for _ in 0..<4 {
                let child = try store.makeChildDataStore()
                for _ in 0...twin.generator.number(below: 3) {
                    try twin.change([child], calls: 1 + twin.generator.number(below: 6))
                    try twin.change([store], calls: 1 + twin.generator.number(below: 6))
                }
                let before = try twin.state(store)
                for policy in twin.generator.oneIn(2) ? [MergePolicy.fail, .childWins] : [.childWins] {
                    twin.journal.note("merge")
                    do {
                        try store.merge(child, policy: policy)
                        break
                    } catch let error as DataStoreError where error.code == .mergeConflict {
                        let after = try twin.state(store)
                        if after != before {
                            throw twin.journal.mismatch(expected: "\(before)", actual: "\(after)")
                        }
                    }
                }
                try twin.requireSound(store)
                twin.journal.note("merge what is left, the parent wins")
                let preview = try store.mergePreview(child, policy: .parentWins)
                let result = try store.merge(child, policy: .parentWins)
                let counts = [preview, result].map {
                    [$0.inserted, $0.updated, $0.deleted, $0.settled.count]
                }
                if counts[0] != counts[1] {
                    throw twin.journal.mismatch(expected: "\(counts[0])", actual: "\(counts[1])")
                }
                try twin.requireSound(store)
            }
        }
    }

    private func run(
        _ title: String, _ runs: Int, on subject: ConformanceSubject,
        _ body: @escaping @Sendable (MergeTwin, ConformanceWorld) throws -> Void
    ) async throws {
        try await RandomRuns.run(title, runs, long: 20_000, of: "a merge", on: subject) { runTitle, seed in
            ConformanceCase(runTitle, proves: 11, 15, 16, 19) { world in
                try body(try MergeTwin("\(title), seed \(seed)", seed: seed), world)
            }
        }
    }
}
