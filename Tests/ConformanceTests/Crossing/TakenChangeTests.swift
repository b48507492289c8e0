import Larder
import LarderConformance
import Testing

@testable import AdapterTestSupport

/// Changes of a child in items that a delete rule takes along in the merge, or would if nothing denied it.
struct TakenChangeTests {
    @Test(arguments: Subjects.ofModels)
    func `what a merged item refers to is no conflict if the item goes by a rule`(
        subject: ConformanceSubject
    ) async throws {
        let testCase = ConformanceCase("A change of what goes", proves: 16, 19) { world in
            let store = try world.makeStore(Club.self, Member.self, Badge.self, Locker.self)
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Club([0, 0, 0, nil]), Club([9, 9, 0, nil])])
                try accessor.insert(contentsOf: [
                    Member([3, 3, nil, 9, nil, nil, nil]), Member([7, 1, nil, 9, nil, nil, nil]),
                    Member([9, 2, nil, 0, nil, nil, nil]),
                ])
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try accessor.update(Member([9, 2, nil, 9, nil, nil, 3]))
                try accessor.insert(Member([6, 6, nil, 9, nil, 3, nil]))
                _ = try accessor.delete(id: 0, of: Club.self)
            }
            try store.writeSync { _ = try $0.update(Member([9, 1, nil, 0, nil, nil, nil])) }

            let result = try store.merge(child, policy: .parentWins)

            // Member 9 cannot move, as 7 has its number there. It goes with its old club, and 3 goes with it.
            let members = try store.read { try $0.items(for: Member.all).map(\.cells) }
            let journal = Journal("a change of what goes")
            try journal.compare(
                result.settled.map(\.description),
                [
                    "Member 9: 7 already has its club, number",
                    "Member 6: mentor leads to 3, which is not in the parent",
                ])
            try journal.compare([result.inserted, result.updated, result.deleted], [1, 0, 3])
            try journal.compare(members, [[6, 6, nil, 9, nil, nil, nil], [7, 1, nil, 9, nil, nil, nil]])
        }
        try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
    }

    @Test(arguments: Subjects.ofModels)
    func `a reference to what would have gone is kept if the deletion is denied in the end`(
        subject: ConformanceSubject
    ) async throws {
        let testCase = ConformanceCase("A reference to what stays", proves: 16, 19) { world in
            let store = try world.makeStore(Badge.self, Locker.self, Member.self, Club.self)
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Club([0, 0, 0, nil]), Club([9, 9, 0, nil])])
                try accessor.insert(contentsOf: [
                    Member([2, 2, nil, 9, nil, nil, nil]), Member([3, 3, nil, 9, nil, nil, nil]),
                ])
                try accessor.insert(Badge([8, 8, nil, nil, nil]))
                try accessor.insert(Locker([6, 6, 2, nil, 8]))
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                _ = try accessor.delete(id: 0, of: Club.self)
                try accessor.update(Locker([6, 6, 3, nil, 8]))
                try accessor.insert(Badge([4, 4, nil, 2, nil]))
            }
            try store.writeSync { accessor in
                try accessor.update(Member([2, 2, nil, 0, nil, nil, nil]))
                try accessor.update(Member([3, 3, nil, 0, nil, nil, nil]))
            }

            let result = try store.merge(child, policy: .parentWins)

            // Without the members, locker 6 would have to stay with member 2, and would go with it; but its key does not.
            // So the club stays, and with it the members that the child refers to.
            let (lockers, badges) = try store.read {
                (try $0.items(for: Locker.all).map(\.cells), try $0.items(for: Badge.all).map(\.cells))
            }
            let journal = Journal("a reference to what stays")
            try journal.compare(
                result.settled.map(\.description),
                [
                    "Club 0: The Locker 6 cannot be deleted while the Badge 8 is not, by the delete rule of Locker.key."
                ])
            try journal.compare([result.inserted, result.updated, result.deleted], [1, 1, 0])
            try journal.compare(lockers, [[6, 6, 3, nil, 8]])
            try journal.compare(badges, [[4, 4, nil, 2, nil], [8, 8, nil, nil, nil]])
        }
        try await ConformanceSuite.run(testCase, on: subject, within: Repetitions.secondsForACase)
    }
}

extension Journal {
    func compare<Value: Equatable>(_ actual: Value, _ expected: Value) throws {
        if actual != expected { throw mismatch(expected: "\(expected)", actual: "\(actual)") }
    }
}
