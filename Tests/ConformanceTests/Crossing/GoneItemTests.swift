import Larder
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Items that a child still refers to, though its parent has deleted them.
struct GoneItemTests {
    private typealias Source = (id: Int64, code: Int64, tools: [Int64])

    private static var map: ImportMap<Locker, Source> {
        ImportMap(by: \.id, from: \.id) {
            Import(\.code, from: \.code)
            Import(\.tools, by: \.id, from: { source in source.tools }, .replaceDeleting)
        }
    }

    @Test(arguments: Subjects.ofModels)
    func `an import that leaves over an item that is gone changes no reference to it`(
        subject: ConformanceSubject
    ) async throws {
        let testCase = ConformanceCase("An item that is gone is left over", proves: 15, 18) { world in
            let store = try world.makeStore(Club.self, Member.self, Badge.self, Locker.self)
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(Club([0, 0, 0, nil]))
                try accessor.insert(Member([2, 2, nil, 0, nil, nil, nil]))
                try accessor.insert(Badge([1, 1, nil, nil, nil]))
                try accessor.insert(Locker([3, 3, 2, nil, 1]))
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                let locker = try #require(try accessor.mutableItem(id: 3, of: Locker.self))
                locker.code = 4
                try locker.tools.add(ids: [1])
            }
            try store.writeSync { _ = try $0.delete(id: 1, of: Badge.self) }

            let counts = try child.writeSync { try $0.importItems(from: [(3, 5, [])], using: Self.map) }

            let journal = Journal("an item that is gone")
            try journal.compare(counts, ImportCounts(updated: 1))
            try journal.compare(
                try child.read { try $0.items(for: Locker.all).map(\.cells) }, [[3, 5, 2, nil, 1]])
            try journal.compare(child.stagedChanges.description, "updated Locker 3: code 3 -> 5")
            try store.writeSync { try $0.deleteAllItems(of: Locker.self) }
        }
        try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
    }
}
