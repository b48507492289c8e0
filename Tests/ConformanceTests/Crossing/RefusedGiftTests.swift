import Larder
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Values that are refused for the items that they were given, after rules have changed other items for them.
struct RefusedGiftTests {
    @Test(arguments: Subjects.ofModels)
    func `handles show what is stored after a value was refused for what it was given`(
        subject: ConformanceSubject
    ) async throws {
        let testCase = ConformanceCase("A refused gift", proves: 3, 4, 15) { world in
            let store = try world.makeStore(Badge.self, Locker.self, Member.self, Club.self)
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(Club([0, 0, 0, nil]))
                try accessor.insert(Member([1, 1, nil, 0, nil, nil, nil]))
                try accessor.insert(Badge([2, 2, nil, nil, nil]))
            }
            var given = Badge([2, 2, nil, 1, nil])
            given.wishers = ToMany(ids: [99])
            let badge = given
            let writes: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { _ = try $0.update(badge) }, { _ = try $0.upsert(badge) },
                { _ = try $0.upsert(contentsOf: [badge]) },
                { _ = try $0.mutableItem(id: 2, of: Badge.self)?.replace(by: badge) },
            ]
            let journal = Journal("a refused gift")

            for write in writes {
                try store.writeSync { accessor in
                    let held = try accessor.upsert(Badge([1, 1, nil, 1, nil]))
                    var code: DataStoreError.Code?
                    do { try write(accessor) } catch let error as DataStoreError { code = error.code }
                    try journal.compare(code, .targetNotFound)
                    // It was freed for the other badge, and has its member again.
                    try journal.compare(held.holder?.id, 1)
                    held.holder = nil
                }
                let holders = try store.read { try $0.items(for: Badge.all).map { $0.holder?.id } }
                try journal.compare(holders, [nil, nil])
            }
        }
        try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
    }
}
