import Larder
import LarderLMDB
import LarderSQLite
import LarderTesting
import Testing

@testable import LarderConformance

/// The calls that reach the engine grow with the batches of a call, and not with its items: over a network each is a
/// journey of its own.
struct CallCountTests {
    @Test(arguments: Work.allCases, CountedEngine.all)
    func `the calls grow with the batches`(_ work: Work, _ engine: CountedEngine) throws {
        let counts = try [250, 1000, 4000].map { try Self.calls(of: work, for: $0, in: engine) }

        // Only SQLite sorts by another item itself.
        let expected =
            work != .sortByOther
            ? Self.expected[work] : engine.engine.name == "SQLite" ? [2, 2, 2] : [4, 7, 19]
        #expect(counts == expected)
    }

    /// For 250, 1,000 and 4,000 items, which are 1, 1 and 4 batches.
    private static let expected: [Work: [Int]] = [
        .insert: [9, 9, 30],
        .insertOne: [6, 6, 6],
        .insertLinked: [12, 15, 54],
        .items: [2, 2, 5],
        .handles: [2, 2, 5],
        .updateOfHandles: [10, 10, 16],
        .updateInWalk: [11, 14, 32],
        .updateByRequest: [12, 12, 18],
        .updateByRelated: [8, 17, 53],
        .updateShownInHandles: [9, 15, 42],
        .updateRecorded: [11, 11, 23],
        .upsert: [10, 12, 42],
        .deleteByIDs: [9, 10, 28],
        .deleteByRequest: [9, 10, 25],
        .link: [9, 9, 21],
        .linkInOrder: [10, 10, 22],
        .unlink: [7, 7, 10],
        .giveToOwner: [10, 10, 25],
        .importNew: [14, 17, 62],
        .importKnown: [16, 43, 166],
        .importReplacing: [9, 21, 78],
        .importWaiting: [10, 22, 87],
        .merge: [11, 17, 44],
        .mergeOfLinks: [21, 51, 177],
        .mergeOfDeletions: [14, 41, 155],
        .refresh: [2, 5, 17],
        .readInChild: [3, 3, 6],
        .readInGrandchild: [3, 3, 3],
        .insertInChild: [8, 11, 41],
        .updateInChild: [4, 10, 34],
        .deleteInChild: [6, 13, 49],
        .deleteAllInChild: [9, 12, 24],
    ]

    @Test(arguments: CountedEngine.all)
    func `a tree whose items name parent and children is upserted in batches`(_ engine: CountedEngine) throws
    {
        let counts = try [250, 1000, 4000].map { count in
            try withTemporaryStore(engine.engine, storing: [Linked.self]) { store in
                let tree = (1...count).map { number in
                    var item = Linked(number, children: [2 * number, 2 * number + 1].filter { $0 <= count })
                    if number > 1 { item.parent = ToOne(id: number / 2) }
                    return item
                }
                try store.writeSync { try $0.insert(contentsOf: (1...count).map { Linked($0) }) }
                return Self.calls(
                    in: try store.record { try store.writeSync { _ = try $0.upsert(contentsOf: tree) } })
            }
        }

        #expect(counts == [8, 8, 28])
    }

    /// However few they are, so that large ones do not fill the memory.
    @Test(arguments: CountedEngine.all)
    func `new rows are handed over when they have 4 MB`(_ engine: CountedEngine) throws {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            let text = String(repeating: "x", count: 1 << 20)
            let marks = (0..<20 as Range<Int64>).map { id in
                var mark = Mark(id)
                mark.text = "\(id) \(text)"
                return mark
            }

            let recording = try store.record {
                try store.writeSync { try $0.insert(contentsOf: marks) }
            }

            #expect(recording.count(of: .apply) == 5)
            #expect(try store.read { try $0.items(for: Mark.all) }.map(\.text) == marks.map(\.text))
        }
    }

    @Test(arguments: CountedEngine.all)
    func `the links of many owners are read along an index`(_ engine: CountedEngine) throws {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            try Self.fill(store, 250 + Work.untouched)

            let recording = try Work.importReplacing.record(250, in: store)

            let plans = recording.requests.filter { $0.schema.isLink }
            let reading = try store.coordinator.adapter.beginReading()
            defer { reading.end() }
            let lines = try plans.flatMap { try reading.explain($0) }
            #expect(plans.count == 1)
            #expect(lines.map { $0.prefix { $0 != " " } } == ["index"], "\(lines)")
        }
    }

    /// A deletion in a child that other rows follow.
    enum FollowedDeletion: CaseIterable, Sendable {
        case cascade, cascadeOfAll, nullify, nullifyOfAll

        func make(_ accessor: DataStoreReadWriteAccessor) throws {
            switch self {
            case .cascade: _ = try accessor.delete(id: 0, of: Box.self)
            case .cascadeOfAll: _ = try accessor.deleteAllItems(of: Box.self)
            case .nullify: _ = try accessor.delete(id: 0, of: Crate.self)
            case .nullifyOfAll: _ = try accessor.deleteAllItems(of: Crate.self)
            }
        }
    }

    /// What follows a deletion is changed some hundred rows at a time: each of them is read once, though the child passes
    /// over those that it has changed already.
    @Test(arguments: FollowedDeletion.allCases, CountedEngine.all)
    func `the rows that a deletion in a child reads grow with those that follow it`(
        _ deletion: FollowedDeletion, _ engine: CountedEngine
    ) throws {
        let types: [any DataStoreItem.Type] = [Part.self, Box.self, Mark.self, Crate.self, Load.self]
        let counts = try [250, 1000, 4000].map { count in
            try withTemporaryStore(engine.engine, storing: types) { store in
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: [Box(0), Box(1)])
                    try accessor.insert(contentsOf: [Crate(0), Crate(1)])
                    try accessor.insert(
                        contentsOf: (0..<Int64(count)).map { id in
                            var part = Part(id)
                            part.box = ToOne(id: 0)
                            return part
                        })
                    try accessor.insert(contentsOf: (0..<Int64(count)).map { Load($0, in: 0) })
                }
                let child = try store.makeChildDataStore()
                try child.setup()
                let recording = try store.record { try child.writeSync { try deletion.make($0) } }
                let isCascade = deletion == .cascade || deletion == .cascadeOfAll
                let left = try child.read { accessor in
                    [
                        try accessor.countItems(for: Part.all), try accessor.countItems(for: Load.all),
                        try accessor.countItems(for: Load.where(\.crate != nil)),
                    ]
                }
                #expect(left == [isCascade ? 0 : count, count, isCascade ? count : 0])
                return recording.count(of: .nextRow)
            }
        }

        if deletion == .cascade { #expect(counts == [255, 1006, 4012]) }
        // Four times as many rows need no more than four times as many steps, and a few for each batch.
        #expect(counts[0] >= 250 && counts[1] < 5 * counts[0] && counts[2] < 5 * counts[1], "\(counts)")
    }

    /// The parent counts its rows, and those among them that the child has touched, thousands at a time; before, one row is
    /// counted as the block begins.
    @Test(arguments: CountedEngine.all)
    func `a count in a child that has touched many items asks its parent twice`(
        _ engine: CountedEngine
    ) throws {
        let counts = try [250, 1000, 4000].map { count in
            try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
                try Self.fill(store, count + Work.untouched)
                let child = try store.makeChildDataStore()
                try child.setup()
                try child.writeSync {
                    _ = try $0.update(Part.where(\.id < Int64(count)), .set(\.weight, to: 4))
                }
                let recording = try store.record {
                    _ = try child.read { try $0.countItems(for: Part.all) }
                }
                #expect(try child.read { try $0.countItems(for: Part.all) } == count + Work.untouched)
                return recording.count(of: .count)
            }
        }

        #expect(counts == [1 + 2, 1 + 2, 1 + 2])
    }

    /// A count has no order, so that no engine sorts, and its limit is the row at which it ends.
    @Test(arguments: CountedEngine.all)
    func `contains counts one row, and in a child one more than it has touched`(
        _ engine: CountedEngine
    ) throws {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            try Self.fill(store, 250)
            let child = try store.makeChildDataStore()
            try child.setup()
            try child.writeSync { _ = try $0.update(Part.where(\.id < 10), .set(\.weight, to: 4)) }
            let request = Part.where(\.id >= 100).sorted(by: \.weight)

            var found: [Bool] = []
            let recording = try store.record {
                found.append(try store.read { try $0.contains(request) })
                found.append(try child.read { try $0.contains(request) })
            }

            #expect(found == [true, true])
            let count = "count Part select id where id >= 100 order weight ascending, id ascending limit"
            // A block of a child that has touched something begins with the second one.
            let beginning = "count Part select id order id ascending limit 1"
            #expect(recording.description == "\(count) 1\n\(beginning)\n\(count) 11")
            #expect(recording.count(of: .request) == 0)
        }
    }

    /// Windows of which the parent's rows are enough, and of which they are not, some of them being touched.
    @Test(arguments: CountedEngine.all)
    func `a count of a window in a child is right wherever it ends`(_ engine: CountedEngine) throws {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            try Self.fill(store, 20)
            let child = try store.makeChildDataStore()
            try child.setup()
            try child.writeSync { accessor in
                _ = try accessor.delete(ids: [0, 1, 2], of: Part.self)
                _ = try accessor.update(Part.where(\.id < 6), .set(\.weight, to: 4))
                try accessor.insert(Part(100))
            }

            // The child shows 18 items.
            let windows = [(0, 0), (0, 1), (0, 12), (0, 13), (0, 17), (0, 18), (0, 19), (5, 9), (17, 5)]
            let counts = try child.read { accessor in
                try windows.map { try accessor.countItems(for: Part.all.offset($0).limit($1)) }
            }
            #expect(counts == [0, 1, 12, 13, 17, 18, 18, 9, 1])
        }
    }

    /// The calls of a kind of work, without the steps of cursors, which an engine may fetch ahead.
    private static func calls(of work: Work, for count: Int, in engine: CountedEngine) throws -> Int {
        try withTemporaryStore(engine.engine, storing: [Part.self, Box.self, Mark.self]) { store in
            try fill(store, count + Work.untouched)
            return calls(in: try work.record(count, in: store))
        }
    }

    private static func calls(in recording: StoreRecording) -> Int {
        EngineCall.allCases.filter { $0 != .nextRow }.reduce(0) { $0 + recording.count(of: $1) }
    }

    private static func fill(_ store: TemporaryStore, _ count: Int) throws {
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (0..<Box.count).map { Box($0) })
            try accessor.insert(contentsOf: (0..<10).map { Mark($0) })
            try accessor.insert(contentsOf: (0..<count).map { Part(Int64($0), marks: ToMany([Mark(7)])) })
        }
    }
}

/// An engine whose calls are counted.
struct CountedEngine: CustomTestStringConvertible, Sendable {
    let engine: TestEngine

    static let all = [
        CountedEngine(engine: .memory),
        CountedEngine(
            engine: TestEngine("SQLite") { .sqlite(at: $0, options: SQLiteOptions(durability: .none)) }),
        CountedEngine(
            engine: TestEngine("LMDB") { .lmdb(at: $0, options: LMDBOptions(durability: .none)) }),
    ]

    var testDescription: String { engine.name }
}
