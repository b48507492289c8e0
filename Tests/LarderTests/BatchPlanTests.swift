import Larder
import LarderImport
import LarderKernel
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// Calls about many items look them up by one plan for some hundred of them, and not by one for each.
@Suite(.smallBatches) struct BatchPlanTests {
    private static let map = ImportMap<Entry, (String, Int)>(by: \.code, from: \.0) {
        Import(\.value, from: \.1)
        Import(\.category, from: \.1, using: ImportMap(by: \.id, from: { Int64($0 % 3) }))
    }

    private static func sources(_ count: Int) -> [(String, Int)] { (0..<count).map { ("c\($0)", $0) } }

    @Test(arguments: [(1, 1), (256, 1), (1000, 4)])
    func `an upsert by an attribute takes one plan for each 256 items`(count: Int, plans: Int) throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        let entries = Self.sources(count).map { Entry(Int64($0.1), $0.0, value: $0.1) }

        let inserting = try store.record {
            _ = try store.writeSync { try $0.upsert(contentsOf: entries, by: \.code) }
        }
        let unchanged = try store.record {
            _ = try store.writeSync { try $0.upsert(contentsOf: entries, by: \.code) }
        }

        #expect(inserting.requests.count == plans)
        #expect(inserting.inserted(Entry.self).count == count)
        #expect(unchanged.requests.count == plans)
        #expect(unchanged.changes.isEmpty)
    }

    // The rule of references looks its items up by plans of its own, one for each batch; a single item takes none.
    @Test(arguments: [(1, 1, 1), (256, 1, 2), (1000, 4, 8)])
    func `an import takes one plan for each 256 sources, and one for those nested in them`(
        count: Int, plans: Int, nestedPlans: Int
    ) throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        let map = Self.map.inserting { Entry(Int64($0.1), $0.0) }

        let inserting = try store.record {
            _ = try store.writeSync { try $0.importItems(from: Self.sources(count), using: map) }
        }
        let updating = try store.record {
            _ = try store.writeSync { accessor in
                try accessor.importItems(from: Self.sources(count).map { ($0.0, $0.1 + 3) }, using: map)
            }
        }

        #expect(inserting.requests.filter { $0.schema.name == "Entry" }.count == plans)
        #expect(inserting.requests.filter { $0.schema.name == Category.schema.name }.count == nestedPlans)
        #expect(inserting.inserted(Entry.self).count == count)
        #expect(updating.requests.filter { $0.schema.name == "Entry" }.count == plans)
        #expect(updating.updated(Entry.self).filter { $0.attributes == ["value"] }.count == count)
    }

    @Test func `rows that each take the value of the next one are judged a few times only`() throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (1...1000).map { Entry(Int64($0), "c\($0)") })
        }
        let entries = (1...1000).map { Entry(Int64($0), "c\($0 + 1)") }

        let recording = try store.record {
            _ = try store.writeSync { try $0.upsert(contentsOf: entries) }
        }

        #expect(recording.requests.count < 60)
        let stored = try store.read { try $0.items(for: Entry.all) }
        #expect(stored.map(\.code) == entries.map(\.code))
    }

    @Test func `groups of one length share plans, so that these are of few shapes`() throws {
        // Groups of one row and of three in turn.
        let values = (0..<64).flatMap { group in
            (0..<(group % 2 == 0 ? 1 : 3)).map { UniqueKey(.integer(Int64(group)), [.integer(Int64($0))]) }
        }

        let plans = RequestPlan.plans(finding: values, at: [0, 2], of: 0, Entry.schema)

        let lengths = plans.map { plan in
            guard case .any(let groups) = plan.predicate else { return [0] }
            return groups.map { group in
                guard case .all(let parts) = group, case .column(2, let test) = parts.last else { return 0 }
                if case .isIn(let values, _) = test { return values.count }
                return 1
            }
        }
        #expect(
            lengths == [Array(repeating: 1, count: 32), Array(repeating: 3, count: 32)])
    }

    // Others may use the block while they are made.
    @Test(arguments: [(true, [256, 512, 600]), (false, [600, 600, 600])])
    func `sources of a file are read while they are imported, and others before`(
        isFile: Bool, expected: [Int]
    ) throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        var read = 0
        var readAtProgress: [Int] = []
        let sources = FileSources(count: 600) { number in
            read += 1
            return ("c\(number)", number)
        }
        let map = Self.map.inserting { Entry(Int64($0.1), $0.0) }

        try store.writeSync { accessor in
            func note(_ progress: DataStoreProgress) { readAtProgress.append(read) }
            if isFile {
                try accessor.importItems(from: sources, using: map, progress: note)
            } else {
                try accessor.importItems(from: AnySequence(sources), using: map, progress: note)
            }
        }

        #expect(readAtProgress == expected)
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 600)
    }

    @Test(arguments: [(false, [0, 0, 0, 0]), (true, [0, 256, 512, 768])])
    func `an import keeps its sources until the end only if it has a closure for their items`(
        isHooked: Bool, expected: [Int]
    ) throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (1...1024).map { Entry(Int64($0), "c\($0)") })
        }
        let imported = Locked(0)
        var alive = 0
        var aliveBeforeBatches: [Int] = []
        // The first source of each batch but the last takes the code of an item that gives it away in the last one.
        let takers = [1: "c1022", 257: "c1023", 513: "c1024"]
        let sources = FileSources(count: 1024) { number in
            if number % 256 == 1 { aliveBeforeBatches.append(alive) }
            return CountedSource(number, takers[number] ?? "d\(number)") { alive += $0 }
        }
        let plain = ImportMap<Entry, CountedSource>(by: \.id, from: \.id) { Import(\.code, from: \.code) }
        let hooked = plain.didImport { entry, source, _ in
            #expect(entry.code == source.code)
            imported.withLock { $0 += 1 }
        }

        try store.writeSync { accessor in
            try accessor.importItems(from: sources, using: isHooked ? hooked : plain)
        }

        #expect(aliveBeforeBatches == expected)
        #expect(alive == 0)
        #expect(imported.withLock { $0 } == (isHooked ? 1024 : 0))
    }

    @Test func `code of the app that runs inside an import reads items and changes none`() throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        let map = Self.map.inserting { Entry(Int64($0.1), $0.0) }
        try store.writeSync { accessor in try accessor.insert(Entry(1000, "k")) }

        var counts: [Int] = []
        try store.writeSync { accessor in
            try accessor.importItems(from: Self.sources(600), using: map) { _ in
                counts.append(try accessor.countItems(for: Entry.all))
            }
        }
        #expect(counts == [257, 513, 601])
        let changes: [(DataStoreReadWriteAccessor) throws -> Void] = [
            { try $0.insert(Entry(2000, "n")) }, { try $0.delete(id: 1000, of: Entry.self) },
            { try $0.mutableItem(id: 1000, of: Entry.self)?.code = "x" },
        ]
        for change in changes {
            let imports: [(DataStoreReadWriteAccessor) throws -> ImportCounts] = [
                { accessor in
                    try accessor.importItems(from: Self.sources(10), using: map) { _ in try change(accessor) }
                },
                { accessor in
                    var refusal: (any Error)?
                    let file = FileSources(count: 10) { number in
                        do {
                            if number == 7 { try change(accessor) }
                        } catch {
                            refusal = error
                        }
                        return ("c\(number)", number)
                    }
                    let counts = try accessor.importItems(from: file, using: map)
                    if let refusal { throw refusal }
                    return counts
                },
            ]
            for body in imports {
                let error = #expect(throws: DataStoreError.self) { try Self.write(to: store, body) }
                #expect(error?.code == .changedDuringIteration)
            }
        }
        // A source may be a handle.
        let handled = ImportMap<Entry, Mutable<Entry>>(by: \.code, from: { _ in "new" }) {
            Import(\.value) { _ in 1 }
        }.inserting { _ in Entry(2001, "new") }.shouldInsert { handle in
            handle.code = "x"
            return true
        }
        for reports in [false, true] {
            let error = #expect(throws: DataStoreError.self) {
                try store.writeSync { accessor in
                    let handle = try #require(try accessor.mutableItem(id: 1000, of: Entry.self))
                    try accessor.importItems(
                        from: [handle], using: handled, progress: reports ? { _ in } : nil)
                }
            }
            #expect(error?.code == .changedDuringIteration)
        }
        #expect(try store.read { try $0.item(id: 1000, of: Entry.self)?.code } == "k")
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 601)
    }

    @Test func `a cancelled task ends its import, which is undone`() async throws {
        let store = try TemporaryStore(storing: [Entry.self, Category.self])
        let map = Self.map.inserting { Entry(Int64($0.1), $0.0) }

        let task = Task {
            try Self.write(to: store) { accessor in
                try accessor.importItems(from: Self.sources(600), using: map) { progress in
                    if progress.done == 512 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
        }

        let error = await #expect(throws: DataStoreError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 0)
    }

    /// A `writeSync` that async code may call.
    private static func write(
        to store: TemporaryStore, _ block: (DataStoreReadWriteAccessor) throws -> ImportCounts
    ) throws {
        _ = try store.writeSync(block)
    }
}

/// Sources that an import reads as it reads those of a file.
private struct FileSources<Source>: StreamedSources, IteratorProtocol {
    let count: Int
    let byteCount = 0
    private var number = 0
    private let make: (Int) -> Source

    init(count: Int, _ make: @escaping (Int) -> Source) {
        (self.count, self.make) = (count, make)
    }

    mutating func next() -> Source? {
        if number == count { return nil }
        number += 1
        return make(number)
    }
}

/// A source that tells when it comes and goes.
private final class CountedSource {
    let id: Int64
    let code: String
    private let note: (Int) -> Void

    init(_ number: Int, _ code: String, _ note: @escaping (Int) -> Void) {
        (id, self.code, self.note) = (Int64(number), code, note)
        note(1)
    }

    deinit {
        note(-1)
    }
}

private typealias Category = NumberedItem

private struct Entry: DataStoreItem {
    let id: Int64
    var code: String
    var value: Int
    var category: ToOne<Category>?

    init(_ id: Int64, _ code: String, value: Int = 0) {
        self.id = id
        self.code = code
        self.value = value
    }

    struct Attributes: Sendable {
        let id = Attribute<Entry, Int64>(column: 0)
        let code = Attribute<Entry, String>(column: 1)
        let value = Attribute<Entry, Int>(column: 2)
        let category = Attribute<Entry, ToOne<Category>?>(indexedColumn: 3)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Entry",
        attributes: [
            .attribute("id", Int64.self), .attribute("code", String.self), .attribute("value", Int.self),
            .attribute("category", ToOne<Category>?.self),
        ], indexes: [.unique("code")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        value = try row.value(at: 2)
        category = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(value, at: 2)
        try row.set(category, at: 3)
    }
}
