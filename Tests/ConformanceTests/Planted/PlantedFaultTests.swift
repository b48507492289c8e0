import Larder
import LarderConformance
import LarderMemory
import Testing

@testable import AdapterTestSupport

/// The cases are good for something: whatever an adapter gets wrong, at least one of them fails.
///
/// They are about the cases alone, so sanitizers have nothing to find in them.
@Suite(.enabled(if: Repetitions.sanitizer == nil))
struct PlantedFaultTests {
    @Test(arguments: Fault.allCases)
    func `every planted fault makes a case fail that passes without it`(fault: Fault) async {
        let faulty = ConformanceSubject("memory where \(fault)") { FaultyMedium(fault) }

        var noticing: ConformanceCase?
        for testCase in cases(firstFor: fault) where noticing == nil {
            if await failure(of: testCase, on: faulty) != nil,
                await failure(of: testCase, on: Subjects.decorated) == nil
            {
                noticing = testCase
            }
        }

        print("\(fault): \(noticing?.title ?? "nobody noticed")")
        #expect(noticing != nil, "No case fails when \(fault).")
        // Without it, hundreds of cases run before one notices.
        #expect(noticing?.title.hasPrefix(fault.clue) == true, "Correct the clue of \(fault).")
    }

    /// The last one shows only where a merge runs beside a block that reads the parent.
    private static let crossed: [Fault] = [
        .compoundValuesAreNotFound, .updatesWriteOneColumn, .lastMutationOfABatchIsLost,
        .savepointRollbackKeepsChanges, .snapshotsSeeLaterCommits,
    ]

    @Test(arguments: crossed)
    func `random calls, blocks and merges that cross the features find a planted fault`(
        fault: Fault
    ) async {
        let faulty = ConformanceSubject("memory where \(fault)") { FaultyMedium(fault) }

        var finding: UInt64?
        for run in 0..<60 where finding == nil {
            let seed = Seed.ofProcess &+ UInt64(run) &* 1_000_003
            let testCase = ConformanceCase("Crossing features \(run), seed \(seed)", proves: 3, 11, 19) {
                world in
                try CrossingRun("Crossing features, seed \(seed)", seed: seed).run(250, in: world)
            }
            if await failure(of: testCase, on: faulty) != nil { finding = seed }
        }

        print("\(fault): \(finding.map { "found with the seed \($0)" } ?? "not found")")
        #expect(finding != nil, "No run of the crossing model fails when \(fault).")
    }

    /// All cases, those that should notice the fault before the others.
    private func cases(firstFor fault: Fault) -> [ConformanceCase] {
        let likely = ConformanceSuite.allCases.filter { $0.title.hasPrefix(fault.clue) }
        return likely + ConformanceSuite.allCases.filter { !$0.title.hasPrefix(fault.clue) }
    }

    /// What goes wrong in a case, in words; nil when it passes.
    private func failure(of testCase: ConformanceCase, on subject: ConformanceSubject) async -> String? {
        do {
            try await ConformanceSuite.run(
                testCase, on: subject, within: Repetitions.secondsForACase)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// A piece of memory for stores over a ``FaultyAdapter``.
private struct FaultyMedium: ConformanceMedium {
    private let storage = MemoryStorage()
    private let fault: Fault

    init(_ fault: Fault) {
        self.fault = fault
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        let adapter = FaultyAdapter(MemoryAdapter(in: storage), fault)
        return ReferenceDataStore(over: adapter, storing: types, options: options)
    }

    func cleanUp() {}
}
