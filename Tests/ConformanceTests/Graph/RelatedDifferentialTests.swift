import Larder
import LarderSQLite
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// A plan about related items gives the same rows as one statement of an engine and in steps of the core.
struct RelatedDifferentialTests {
    @Test(arguments: [Subjects.sqlite] + Subjects.postgreSQL)
    func `SQL finds related items as the core does`(engine: ConformanceSubject) throws {
        var random = RandomLibrary(seed: Seed.ofProcess().seed)
        let (items, model) = try random.library()
        let medium = try engine.makeMedium()
        defer { try? medium.cleanUp() }
        let store = try medium.makeStore(storing: Library.types, options: DataStoreOptions())
        try store.setup()
        defer { try? store.tearDown() }
        try store.writeSync { try items.insert(into: $0) }
        let reading = try store.coordinator.adapter.beginReading()
        defer { reading.end() }
        let steps = InSteps(wrappedReading: reading)
        var wholePlans = 0
        var relatedPlans = 0

        let count =
            engine.isOnServer ? Repetitions.count(150, long: 10_000) : Repetitions.isLong ? 100_000 : 1500
        for _ in 0..<count {
            let request = try random.request(model)
            let plan = try request.core.plan(entity: request.entity, in: model.schema)
            if plan.isRelated {
                relatedPlans += 1
                if reading.runsWhole(plan) { wholePlans += 1 }
            }
            let rows = try reading.rows(of: plan, in: model.schema)
            #expect(try rows == steps.rows(of: plan, in: model.schema), "\(plan)")
            #expect(try reading.count(for: plan, in: model.schema) == rows.count, "\(plan)")
        }

        // SQLite leaves only the most deeply nested ones, one in fifteen of all. A server also leaves tests of text
        // and patterns.
        #expect((relatedPlans - wholePlans) * (engine.isOnServer ? 2 : 10) < count)
        #expect(wholePlans < relatedPlans)
    }

    @Test func `SQLite says how it finds related items`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteDataStore(at: folder.file("library.db"), storing: Library.types)
        try store.setup()
        func expectLines<Item: DataStoreItem>(
            _ request: DataStoreRequest<Item>, _ lines: [String],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let found = try store.read { try $0.explain(request) }
            #expect(found == lines, "\(request): \(found)", sourceLocation: sourceLocation)
        }

        try expectLines(Person.where(.any(\.books, \.year == 1990)), ["by id", "scan of Book"])
        try expectLines(
            Book.where(\.author.name == "Ada"), ["by id", "index Book(author)", "scan of Person"])
        try expectLines(Book.where(\.author.id == ItemID(rawValue: 1)), ["index Book(author)"])
        try expectLines(
            Person.where(.none(\.books, \.author.name == "Ada")),
            ["scan", "index Book(author)", "scan"])
        try expectLines(
            Book.where(.any(\.labels, \.id == "new")), ["by id", "index Book.labels(target, source)"])
        try expectLines(
            Book.where(.any(\.labels, \.rank == 1)),
            ["by id", "index Book.labels(target, source)", "scan of Label"])
        try expectLines(Book.where(\.labels.count > 3), ["by id", "index Book.labels(source, target)"])
        try expectLines(
            Book.all.sorted(by: \.author.name).limit(3),
            ["index Book(author)", "by id of Person", "sort"])
        try expectLines(
            Person.all.sorted(by: \.mentor.mentor.name), ["index Person(mentor)", "by id", "sort"])
    }

    @Test func `SQLite says that the core aggregates a window of ordered links`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteDataStore(at: folder.file("library.db"), storing: Library.types)
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: SmallLibrary.people)
            try accessor.insert(contentsOf: SmallLibrary.shelves)
            try accessor.insert(contentsOf: SmallLibrary.labels)
            try accessor.insert(contentsOf: SmallLibrary.chapters)
            try accessor.insert(contentsOf: SmallLibrary.books)
        }

        try store.read { accessor in
            let book = try #require(try accessor.item(id: 40, of: Book.self))
            let some = book.chapters.request.filter(\.title != "none").limit(2)
            let lines = try accessor.explain(some, .maximum(\.title))
            #expect(
                lines == [
                    "index Book.chapters(source, rank)", "by id", "index Book.chapters(source, target)",
                    "aggregate rows",
                ])
        }
    }

    @Test func `SQLite uses that a name is unique, and that a reference is never nil`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteDataStore(at: folder.file("towns.db"), storing: [Town.self, House.self])
        try store.setup()
        try store.writeSync { accessor in
            let towns = (1...9 as ClosedRange<Int64>).map { id in
                Town(id, "town \(id * 4 % 9)", code: id % 3 == 0 ? nil : "code \(id * 5 % 9)")
            }
            try accessor.insert(contentsOf: towns)
            try accessor.insert(
                contentsOf: (1...200).map { House($0, number: Int($0 % 5), in: $0 * 7 % 8 + 1) })
        }
        let requests: [(DataStoreRequest<House>, Int, [String])] = [
            (House.where(\.town.name == "town 3"), 25, ["index House(town)", "index Town(name)"]),
            (House.where(\.town.name == "elsewhere"), 0, ["index House(town)", "index Town(name)"]),
            (
                House.where(\.town.name != "town 3").offset(7).limit(9), 9,
                ["by id", "index House(town)", "index Town(name)", "sort"]
            ),
            (
                House.all.sorted(by: \.town.name).offset(20).limit(30), 30,
                ["index Town(name)", "index House(town)"]
            ),
            (
                House.all.sorted(by: \.town.name, .descending).offset(190).limit(30), 10,
                ["index Town(name)", "index House(town)"]
            ),
            (
                House.all.sorted(by: \.town.code).offset(20).limit(30), 30,
                ["index Town(code)", "index House(town)", "sort"]
            ),
            (
                House.all.sorted(by: \.town.code, .descending).offset(140).limit(30), 30,
                ["index Town(code)", "index House(town)", "sort"]
            ),
            (
                House.where(\.number == 3).sorted(by: \.town.name).limit(7), 7,
                ["scan", "by id of Town", "sort"]
            ),
        ]

        try store.read { accessor in
            for (request, _, lines) in requests {
                let found = try accessor.explain(request)
                #expect(found == lines, "\(request): \(found)")
            }
        }
        let schema = try StoreSchema(storing: [Town.self, House.self])
        let reading = try store.coordinator.adapter.beginReading()
        defer { reading.end() }
        let steps = InSteps(wrappedReading: reading)
        for (request, count, _) in requests {
            let plan = try request.core.plan(entity: 1, in: schema)
            let rows = try reading.rows(of: plan, in: schema)
            #expect(try rows == steps.rows(of: plan, in: schema), "\(plan)")
            #expect(rows.count == count, "\(plan)")
        }
    }
}

/// A reading that leaves whatever is about other items to the core.
private final class InSteps: ReadingDecorator {
    let wrappedReading: any StorageReading

    init(wrappedReading: any StorageReading) { self.wrappedReading = wrappedReading }

    func runsWhole(_ plan: RequestPlan) -> Bool { false }
}

extension StorageReading {
    fileprivate func rows(of plan: RequestPlan, in schema: StoreSchema) throws -> [[Constant]] {
        let cursor = try rows(for: plan, in: schema)
        defer { cursor.close() }
        let cells = CellBuffer(count: plan.schema.attributes.count)
        var rows: [[Constant]] = []
        while try cursor.next(into: cells.start) {
            rows.append(
                plan.schema.attributes.indices.map {
                    Constant(cells.start[$0], storage: plan.schema.storage(ofColumn: $0))
                })
        }
        return rows
    }
}
