import Larder

/// References to an item of any of several types.
enum ToAnyCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A reference to any type leads to its item", proves: 5) { world in
            let store = try UnionCases.open(world)
            let subjects: [ToAny<Thing>?] = [
                ToAny(id: 20, of: Keyed<Int64>.self), ToAny(id: "b", of: Keyed<String>.self), nil,
                ToAny(Memo(2)), ToAny(id: 99, of: Memo.self),
            ]
            try store.writeSync { accessor in
                for (position, subject) in subjects.enumerated() {
                    try accessor.insert(Pin(Int64(position), to: subject))
                }
            }

            try store.read { accessor in
                let pins = try accessor.items(for: Pin.all)
                try expect(pins.map(\.subject), equals: subjects)
                let found = try pins.map { try accessor.item($0.subject).map { UnionCases.name($0) } }
                let expected = ["number 20", "word b", nil, "memo 2", nil]
                try expect(found, equals: expected)
                let all = try accessor.items(ids: pins.compactMap(\.subject) + [ToAny(Memo(1))])
                try expect(
                    all.map { $0.map { UnionCases.name($0) } },
                    equals: ["number 20", "word b", "memo 2", nil, "memo 1"])
                try expect(pins[1].subject?.id(of: Keyed<String>.self), equals: "b")
                try expect(pins[1].subject?.id(of: Memo.self), equals: nil)
                let missing = try expectError(.itemNotFound) {
                    _ = try accessor.requiredItem(try require(pins[4].subject))
                }
                try expect(missing.identifier, equals: .integer(99))
            }
        }
        ConformanceCase("Items that refer to one of any type are found by a filter", proves: 6, 8) { world in
            let store = try UnionCases.open(world)
            let number = ToAny<Thing>(id: 1, of: Keyed<Int64>.self)
            let memo = ToAny<Thing>(id: 1, of: Memo.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Pin(1, to: number), Pin(2, to: memo), Pin(3), Pin(4, to: number),
                ])
            }

            try expect(Pin.where(\.subject == number), gives: [1, 4], in: store)
            try expect(Pin.where(\.subject == memo), gives: [2], in: store)
            try expect(Pin.where(\.subject == nil), gives: [3], in: store)
            try expect(Pin.where(.isIn(\.subject, [number, memo])), gives: [1, 2, 4], in: store)
            try expect(Pin.all.sorted(by: \.subject), gives: [3, 2, 1, 4], in: store)
        }
        ConformanceCase("A reference to any type stays when its item is deleted", proves: 16, 18, 19) {
            world in
            let store = try UnionCases.open(world)
            let subject = ToAny<Thing>(id: "a", of: Keyed<String>.self)
            try store.writeSync { try $0.insert(contentsOf: [Pin(1, to: subject), Pin(2)]) }

            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.delete(subject) }
            try expect(try child.read { try $0.item(subject) }, equals: nil)
            try expect(try store.read { try $0.item(subject) }.map { UnionCases.name($0) }, equals: "word a")
            try store.merge(child)

            try expect(try store.item(1, of: Pin.self)?.subject, equals: subject)
            try expect(try store.read { try $0.item(subject) }, equals: nil)
            try store.writeSync { accessor in
                try expect(try accessor.deleteItems(for: Pin.where(\.subject == subject)), equals: 1)
                try accessor.insert(Keyed("a", label: "again"))
            }
            try expect(try store.ids(Pin.all), equals: [.integer(2)])
            try expect(try store.read { try $0.item(subject) }.map { UnionCases.name($0) }, equals: "word a")
        }
        ConformanceCase("A reference to any type is one text for each item", proves: 5, 9) { world in
            let store = try UnionCases.open(world)
            let texts: [(ToAny<Thing>, String)] = [
                (ToAny(id: -7, of: Keyed<Int64>.self), "Number%3A %25:-7"),
                (ToAny(id: "a:b%", of: Keyed<String>.self), "Keyed by String:a:b%"),
                (ToAny(Memo(3)), "Memo:3"),
            ]

            for (reference, text) in texts {
                try expect(reference.description, equals: text)
                try expect(ToAny<Thing>(text), equals: reference)
                try store.writeSync { try $0.upsert(Pin(1, to: reference)) }
                try expect(try store.item(1, of: Pin.self)?.subject, equals: reference)
            }
            for text in ["Memo:03", "Memo:+3", "Memo:", "Memo", "", "memo:3", "Keyed by String:", "Pin:1"] {
                try expect(ToAny<Thing>(text), equals: nil, text)
            }
        }
        ConformanceCase("A reference to a type that is not a member cannot be stored", proves: 3) { world in
            let store = try UnionCases.open(world)
            let other = ToAny<Thing>(id: 1, of: Pin.self)

            try expectError(.invalidValue, writingTo: store) { try $0.insert(Pin(1, to: other)) }
            try expectError(.invalidRequest) { try Pin.where(\.subject == other).validate() }

            try expect(try store.read { try $0.item(other) }, equals: nil)
            try expect(try store.count(Pin.all), equals: 0)
        }
    }
}
