import struct Foundation.UUID
import Larder
import LarderFiles

/// Delete rules of references to an item of any of several types.
enum ToAnyRuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A reference to any type, with a delete rule, leads to a stored item", proves: 3, 5, 15
        ) { world in
            let store = try open(world, Freeing.self)
            let nowhere: [ToAny<Topic<Freeing>>] = [
                number(9), word("z"), code(9), note(999),
            ]

            try store.writeSync { accessor in
                for topic in nowhere {
                    let error = try expectError(.targetNotFound) { try accessor.insert(Note(2, on: topic)) }
                    try expect(error.itemType, equals: "Note")
                    try expect(error.attribute, equals: "topic")
                    try expect(error.identifier, equals: .itemID(2))
                    try expectError(.targetNotFound) { try accessor.upsert(Note(1, on: topic)) }
                    try expectError(.targetNotFound) {
                        try accessor.update(Note<Freeing>.all, .set(\.topic, to: topic))
                    }
                    try expectError(.targetNotFound) {
                        try accessor.insert(
                            contentsOf: (2...600).map { Note($0, on: $0 == 300 ? topic : number(1)) })
                    }
                }
                // The items of one call may refer to each other, in any order.
                try accessor.insert(
                    contentsOf: (2...600).map { Note<Freeing>($0, on: note($0 == 600 ? 1 : $0 + 1)) })
            }
            try expectError(.targetNotFound, writingTo: store) { accessor in
                try require(try accessor.mutableItem(id: noteID(2))).topic = nowhere[0]
            }

            try expect(try store.count(Note<Freeing>.all), equals: 600)
            try expect(try store.count(Note<Freeing>.where(\.topic == nil)), equals: 1)
        }
        ConformanceCase("A deleted item of any type frees the items that refer to it", proves: 3, 4, 16) {
            world in
            let store = try open(world, Freeing.self)
            let topics: [ToAny<Topic<Freeing>>] = [
                number(1), word("a"), code(1), note(1),
            ]
            try store.writeSync { accessor in
                for (position, topic) in topics.enumerated() {
                    try accessor.insert(Note(11 + Int64(position), on: topic))
                }
            }

            try store.writeSync { accessor in
                let note = try require(try accessor.mutableItem(id: noteID(11)))
                note.text = "kept"
                try expect(try accessor.delete(topics[0]), equals: true)
                try expect(note.topic, equals: nil)
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.delete(topics[1])
                        try expect(try accessor.item(id: noteID(12))?.topic, equals: nil)
                        throw OwnError()
                    }
                }
                try expect(try accessor.item(id: noteID(12))?.topic, equals: topics[1])
                try expect(try accessor.deleteAllItems(of: Keyed<String>.self), equals: 2)
                try accessor.delete(topics[2])
                try accessor.delete(topics[3])
            }

            let notes = try store.items(Note<Freeing>.all)
            try expect(notes.map(\.id.rawValue), equals: [11, 12, 13, 14])
            try expect(notes.map(\.topic), equals: [nil, nil, nil, nil])
            try expect(notes.map(\.text), equals: ["kept", "", "", ""])
        }
        ConformanceCase("Many deleted items free no others than the items that refer to them", proves: 16) {
            world in
            let store = try open(world, Freeing.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (3...600).map { Keyed<Int64>($0) })
                // Two on each number; their texts have another order than the numbers.
                try accessor.insert(
                    contentsOf: (2...1201).map { Note<Freeing>($0, on: number(($0 - 2) % 600 + 1)) })
                try accessor.insert(Note<Freeing>(2000, on: word("a")))
            }

            try store.writeSync { accessor in
                let request = Keyed<Int64>.where(\.id <= 500)
                try expect(try accessor.deleteItems(for: request), equals: 500)
            }

            let left = try store.items(Note<Freeing>.where(\.topic != nil))
            let last: [ToAny<Topic<Freeing>>?] = (501...600).map { number($0) }
            try expect(left.map(\.topic), equals: last + last + [word("a")])
            try expect(try store.count(Note<Freeing>.all), equals: 1202)
        }
        ConformanceCase("A deleted item of any type takes along the items that refer to it", proves: 16) {
            world in
            let store = try world.open(
                Note<Taking>.self, Review<Taking>.self, Keyed<Int64>.self, Keyed<String>.self,
                Keyed<UUID>.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Keyed<Int64>(1), Keyed<Int64>(2)])
                // A chain, and two that refer to each other.
                try accessor.insert(
                    contentsOf: (1...300).map { Note<Taking>($0, on: $0 == 1 ? number(1) : note($0 - 1)) })
                try accessor.insert(
                    contentsOf: [Note<Taking>(700, on: note(701)), Note(701, on: note(700)), Note(702)])
                try accessor.insert(contentsOf: [
                    Review<Taking>(1, on: number(1)), Review(2, on: number(2)),
                    Review(3, on: note(701)),
                ])
            }

            try store.writeSync { accessor in
                try expect(try accessor.delete(id: 1, of: Keyed<Int64>.self), equals: true)
                try expect(try accessor.ids(for: Note<Taking>.all).map(\.rawValue), equals: [700, 701, 702])
                try expect(try accessor.ids(for: Review<Taking>.all), equals: [2, 3])
                try expect(try accessor.delete(id: noteID(700, of: Taking.self)), equals: true)
                try expect(try accessor.ids(for: Review<Taking>.all), equals: [2])
                try expect(try accessor.deleteAllItems(of: Keyed<Int64>.self), equals: 1)
            }

            try expect(try store.ids(Note<Taking>.all), equals: [.itemID(702)])
            try expect(try store.count(Review<Taking>.all), equals: 0)
        }
        ConformanceCase("An item of any type is not deleted while others forbid it", proves: 3, 16) { world in
            let store = try open(world, Denying.self)
            let ids = (2...3).map { noteID($0, of: Denying.self) }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Note<Denying>(2, on: number(1)), Note(3, on: note(2))])
            }

            try store.writeSync { accessor in
                let error = try expectError(.deletionDenied) {
                    try accessor.delete(id: 1, of: Keyed<Int64>.self)
                }
                try expect(error.itemType, equals: "Keyed by Int64")
                try expect(error.identifier, equals: .integer(1))
                try expect(
                    error.message,
                    equals: "The Keyed by Int64 1 cannot be deleted while the Note \(ids[0]) is not, by the "
                        + "delete rule of Note.topic.")
                try expectError(.deletionDenied) { try accessor.deleteAllItems(of: Keyed<Int64>.self) }
                try expectError(.deletionDenied) { try accessor.delete(id: ids[0]) }
                try expect(try accessor.countItems(for: Keyed<Int64>.all), equals: 2)
                try expect(try accessor.delete(id: 2, of: Keyed<Int64>.self), equals: true)
                // Items that go too forbid nothing.
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.delete(ids: ids, of: Note<Denying>.self)
                        try expect(try accessor.delete(id: 1, of: Keyed<Int64>.self), equals: true)
                        throw OwnError()
                    }
                }
                try require(try accessor.mutableItem(id: ids[0])).topic = nil
                try expect(try accessor.delete(id: 1, of: Keyed<Int64>.self), equals: true)
            }

            try expect(try store.count(Keyed<Int64>.all), equals: 0)
            try expect(try store.count(Note<Denying>.all), equals: 3)
        }
        ConformanceCase("A merge frees the items that refer to one of any type", proves: 15, 16, 18, 19) {
            world in
            let store = try open(world, Freeing.self)
            try store.writeSync { try $0.insert(Note<Freeing>(11, on: number(1))) }
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.delete(id: 1, of: Keyed<Int64>.self) }
            try expect(try child.item(noteID(11), of: Note<Freeing>.self)?.topic, equals: nil)
            try expect(try store.item(noteID(11), of: Note<Freeing>.self)?.topic, equals: number(1))
            try store.writeSync { try $0.insert(Note<Freeing>(12, on: number(1))) }

            let result = try store.merge(child)
            try expect([result.inserted, result.updated, result.deleted], equals: [0, 2, 1])
            try expect(try store.count(Note<Freeing>.where(\.topic != nil)), equals: 0)

            // The item is gone from the parent when the child's reference to it comes.
            try child.writeSync { try $0.insert(Note<Freeing>(13, on: word("a"))) }
            try store.writeSync { try $0.delete(id: "a", of: Keyed<String>.self) }
            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(
                error.conflicts.map(\.kind),
                equals: [.targetNotFound(relationship: "topic", target: .string("a"))])
            try store.merge(child, policy: .parentWins)
            try expect(try store.ids(Note<Freeing>.all), equals: [1, 11, 12, 13].map { .itemID($0) })
            try expect(try store.count(Note<Freeing>.where(\.topic != nil)), equals: 0)
        }
        ConformanceCase("A merge takes along the items that refer to one of any type", proves: 16, 18, 19) {
            world in
            let store = try open(world, Taking.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Note<Taking>(11, on: number(1)), Note(12, on: number(2))])
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.deleteAllItems(of: Keyed<Int64>.self) }
            try expect(try child.ids(Note<Taking>.all), equals: [.itemID(1)])
            try store.writeSync { accessor in
                try accessor.insert(Note<Taking>(13, on: number(1)))
                try require(try accessor.mutableItem(id: noteID(12, of: Taking.self))).text = "parent"
            }

            try expectError(.mergeConflict) { try store.merge(child) }
            try store.merge(child, policy: .parentWins)

            // The second number stays with the note that the parent has changed.
            try expect(try store.ids(Note<Taking>.all), equals: [.itemID(1), .itemID(12)])
            try expect(try store.ids(Keyed<Int64>.all), equals: [.integer(2)])
        }
        ConformanceCase("A merge does not delete what another item forbids", proves: 16, 18, 19) { world in
            let store = try open(world, Denying.self)
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.deleteAllItems(of: Keyed<Int64>.self) }
            try store.writeSync { try $0.insert(Note<Denying>(11, on: number(1))) }

            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(error.conflicts.map(\.identifier), equals: [.integer(1)])
            try store.merge(child, policy: .parentWins)

            try expect(try store.ids(Keyed<Int64>.all), equals: [.integer(1)])
            try expect(
                try store.item(noteID(11, of: Denying.self), of: Note<Denying>.self)?.topic,
                equals: number(1))
        }
        ConformanceCase("A required reference to any type cannot become nil", proves: 16) { world in
            let error = try expectError(.invalidSchema) {
                _ = try world.open(Review<Freeing>.self, Note<Freeing>.self, Keyed<Int64>.self)
            }
            try expect(error.itemType, equals: "Review")
            try expect(
                error.message,
                equals:
                    "The declaration of Review is wrong: \"topic\" is required, and the delete rule of its "
                    + "union would make it nil.")
            _ = try world.open(Review<Taking>.self, Note<Taking>.self, Keyed<Int64>.self)
        }
        ConformanceCase("A check finds a reference to any type that leads nowhere", proves: 12, 16) { world in
            guard let scene = FileScene(world) else { return }
            let others: [any DataStoreItem.Type] = [Keyed<Int64>.self, Keyed<String>.self, Keyed<UUID>.self]
            guard let store = try scene.tools([Note<Unruled>.self] + others) else { return }
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(Keyed("a"))
                try accessor.insert(contentsOf: [
                    Note<Unruled>(1, on: number(9)), Note(2, on: word("a")), Note(3), Note(4, on: note(4)),
                ])
            }
            try expect(try store.checkIntegrity(), equals: [])
            try store.tearDown()

            guard let ruled = try scene.tools([Note<Freeing>.self] + others) else { return }
            try ruled.setup()
            let problem = "Note \(noteID(1)) refers by topic to Keyed by Int64 9, which does not exist."
            try expect(try ruled.checkIntegrity(), equals: [problem])
            try ruled.tearDown()
        }
    }

    /// A store with two numbers, two words, a code and a note on nothing.
    private static func open<Rule: TopicRule>(
        _ world: ConformanceWorld, _ rule: Rule.Type
    ) throws -> any DataStore {
        let store = try world.open(
            Note<Rule>.self, Keyed<Int64>.self, Keyed<String>.self, Keyed<UUID>.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Keyed<Int64>(1), Keyed<Int64>(2)])
            try accessor.insert(contentsOf: [Keyed("a"), Keyed("b")])
            try accessor.insert(Keyed(uuid(1)))
            try accessor.insert(Note<Rule>(1))
        }
        return store
    }

    private static func number<Rule>(_ id: Int64) -> ToAny<Topic<Rule>> {
        ToAny(id: id, of: Keyed<Int64>.self)
    }

    private static func word<Rule>(_ id: String) -> ToAny<Topic<Rule>> {
        ToAny(id: id, of: Keyed<String>.self)
    }

    private static func note<Rule>(_ id: Int64) -> ToAny<Topic<Rule>> {
        ToAny(id: ItemID(rawValue: id), of: Note<Rule>.self)
    }

    private static func noteID<Rule: TopicRule>(
        _ id: Int64, of rule: Rule.Type = Freeing.self
    ) -> ItemID<Note<Rule>> {
        ItemID(rawValue: id)
    }

    private static func code<Rule>(_ last: UInt8) -> ToAny<Topic<Rule>> {
        ToAny(id: uuid(last), of: Keyed<UUID>.self)
    }

    private static func uuid(_ last: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
    }
}
