import Larder
import LarderMemory
import Testing

/// What `print` and a debugger show of stores, changes and schemas.
struct PrintingTests {
    @StoredItem
    struct Drink: Equatable {
        var name: String
        @Unique var code: String?
        var price: Double = 0
        var maker: ToOne<Maker>?
        var tastes: ToMany<Taste>
    }

    @StoredItem
    struct Maker {
        var name: String
    }

    @StoredItem
    struct Taste {
        var name: String
    }

    private func openStore(named name: String? = nil) throws -> MemoryDataStore {
        var options = DataStoreOptions()
        options.name = name
        let store = MemoryDataStore(storing: [Drink.self, Maker.self, Taste.self], storeOptions: options)
        try store.setup()
        return store
    }

    @Test func `a store shows its type, its name and its place`() throws {
        let plain = try openStore()
        let named = try openStore(named: "bar")

        #expect("\(plain)" == "MemoryDataStore (memory)")
        #expect(plain.name == nil)
        #expect("\(named)" == "MemoryDataStore \"bar\" (memory)")
        #expect(named.name == "bar")
        #expect(String(reflecting: named) == "MemoryDataStore \"bar\" (memory)")
    }

    @Test func `a child shows the chain of its parents`() throws {
        let store = try openStore(named: "bar")

        let draft = try store.makeChildDataStore(named: "draft")
        let child = try draft.makeChildDataStore()

        #expect("\(draft)" == "ChildDataStore \"draft\" of MemoryDataStore \"bar\" (memory)")
        #expect(
            "\(child)" == "ChildDataStore of ChildDataStore \"draft\" of MemoryDataStore \"bar\" (memory)")
        #expect(child.name == nil)
    }

    @Test func `an error names the store`() throws {
        var options = DataStoreOptions()
        options.name = "bar"
        let store = MemoryDataStore(storing: [Maker.self], storeOptions: options)

        let error = #expect(throws: DataStoreError.self) {
            try store.read { try $0.countItems(for: Maker.all) }
        }

        #expect(error?.code == .notSetUp)
        #expect(error?.message.contains("The store \"bar\" (memory)") == true)
    }

    @Test func `a change set has a line for each item`() throws {
        let store = try openStore()
        let (ale, gin) = (Drink(name: "Ale"), Drink(name: "Gin"))
        try store.writeSync { try $0.insert(ale) }

        let result = try store.writeSyncReportingChanges(origin: "tap") { accessor in
            let handle = try #require(try accessor.mutableVersion(of: ale))
            (handle.price, handle.code) = (3, "A")
            try accessor.insert(gin)
            return 42
        }
        let nothing = try store.writeSyncReportingChanges { _ in }

        let lines = ["updated Drink \(ale.id): code, price", "inserted Drink \(gin.id)"]
        #expect(Set(result.changes.changes.map(\.description)) == Set(lines))
        #expect(result.changes.description.hasPrefix("from tap\n"))
        #expect(result.changes.description.split(separator: "\n").count == 3)
        #expect("\(result)" == "42\n\(result.changes)")
        #expect("\(nothing.changes)" == "no changes")
    }

    @Test func `the change of an observed item shows both values`() async throws {
        let store = try openStore()
        let (ale, sweet) = (Drink(name: "Ale"), Taste(name: "sweet"))
        var changes = store.changes(ofItem: ale.id, of: Drink.self, including: \.tastes).makeAsyncIterator()

        let first = try await changes.next()
        try await store.writeAsync { try $0.insert(ale) }
        let second = try await changes.next()
        try await store.writeAsync { accessor in
            let handle = try #require(try accessor.mutableVersion(of: ale))
            handle.price = 3
            try handle.tastes.add(try accessor.insert(sweet))
        }
        let third = try await changes.next()

        #expect(first?.description == "found no Drink")
        #expect(second?.description == "inserted Drink \(ale.id)")
        #expect(third?.description == "updated Drink \(ale.id): price 0.0 -> 3.0, tastes")
    }

    @Test func `an order and a request for groups show the request that they make`() {
        let order: ItemOrder<Drink> = .by(\.price, .descending)
        let groups = Drink.where(\.price > 1).grouped(by: \.maker.name)
            .having(.count > 3 && .sum(\.price) >= 100)
            .sorted(by: .sum(\.price), .descending)
            .limit(10)

        #expect("\(order)" == "Drink order price descending, id descending")
        #expect("\(ItemOrder<Drink>.none)" == "Drink order id ascending")
        let words = """
            Drink where price > 1.0 order id ascending group by maker.name \
            having (count > 3 and sum(price) >= 100.0) order sum(price) descending limit 10
            """
        #expect("\(groups)" == words)
        #expect("\(Drink.all.grouped(by: \.name).limit(-1))" == "Drink (The limit is -1.)")
    }

    @Test func `a schema shows its parts`() throws {
        let drink = """
            Drink
              id: itemID
              name: string
              code: string?
              price: double
              maker: itemID?
              unique code
              index maker
              toMany tastes -> Taste nullify
              toOne maker -> Maker nullify
            """

        #expect(Drink.schema.description == drink)
        let schema = try StoreSchema(storing: [Taste.self, Drink.self, Maker.self])
        #expect(schema.description == SchemaShape(schema).description)
        #expect(schema.description.hasPrefix("Drink\n  id: itemID\n  code: string?\n"))
    }
}
