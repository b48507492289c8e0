import Foundation
import Larder
import LarderMemory
import Testing

/// Items whose types are Codable, with relationships, as JSON and back.
struct CodableItemTests {
    @StoredItem
    struct Band: Codable, Equatable {
        let id: Int
        var name: String
        var founder: ToOne<Player>?
        @Relationship(inverse: \Player.band) var players: ToMany<Player>
        var hits: OrderedToMany<Hit>
        @Relationship(inverse: \Agent.band) var agent: ToOneInverse<Agent>
    }

    @StoredItem
    struct Player: Codable {
        let id: Int
        var band: ToOne<Band>?
    }

    @StoredItem
    struct Hit: Codable {
        let id: String
    }

    @StoredItem
    struct Agent: Codable {
        let id: Int
        var band: ToOne<Band>?
    }

    private func openStore() throws -> MemoryDataStore {
        let store = MemoryDataStore(storing: [Band.self, Player.self, Hit.self, Agent.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Hit(id: "b"), Hit(id: "a")])
            try accessor.insert(contentsOf: [Player(id: 1), Player(id: 2)])
            let band = Band(
                id: 7, name: "Seven", founder: ToOne(id: 1), players: ToMany(ids: [1, 2]),
                hits: OrderedToMany(ids: ["b", "a"]))
            try accessor.insert(band)
            try accessor.insert(Agent(id: 5, band: ToOne(id: 7)))
        }
        return store
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func band(_ json: String) throws -> Band {
        try JSONDecoder().decode(Band.self, from: Data(json.utf8))
    }

    @Test func `an item that was read alone leaves out what it does not know`() throws {
        let store = try openStore()
        let read = try #require(try store.read { try $0.item(id: 7, of: Band.self) })

        let text = try json(read)
        #expect(text == #"{"founder":1,"id":7,"name":"Seven"}"#)

        // Stored again, it keeps the items that it has.
        let decoded = try band(text)
        try store.writeSync { try $0.update(decoded) }
        let ids = try store.read { try $0.ids(for: read.hits.request) }
        #expect(ids == ["b", "a"])
        #expect(try store.read { try $0.ids(for: read.players.request) } == [1, 2])
    }

    @Test func `items that were read with it are their identifiers`() throws {
        let store = try openStore()
        let request = Band.all.prefetching(\.players).prefetching(\.hits).prefetching(\.agent)
        let read = try #require(try store.read { try $0.firstItem(for: request) })

        let text = try json(read)
        #expect(
            text == #"{"agent":5,"founder":1,"hits":["b","a"],"id":7,"name":"Seven","players":[1,2]}"#)
        #expect(try json(try band(text)) == text)
    }

    @Test func `items that were read in part are left out, and all stay`() throws {
        let store = try openStore()
        let request = Band.all
            .prefetching(\.players) { $0.filter(\.id > 1) }
            .prefetching(\.hits) { $0.limit(1) }
            .prefetching(\.agent) { $0.filter(\.id > 5) }
        let read = try #require(try store.read { try $0.firstItem(for: request) })
        #expect(read.players.items?.map(\.id) == [2])
        #expect(read.hits.items?.map(\.id) == ["b"])

        let text = try json(read)
        #expect(text == #"{"founder":1,"id":7,"name":"Seven"}"#)

        let decoded = try band(text)
        try store.writeSync { try $0.update(decoded) }
        #expect(try store.read { try $0.ids(for: read.players.request) } == [1, 2])
        #expect(try store.read { try $0.ids(for: read.hits.request) } == ["b", "a"])
        #expect(try store.read { try $0.item(id: 5, of: Agent.self) }?.band == ToOne(id: 7))
    }

    @Test func `an order leaves out only items that have one of their own`() throws {
        let store = try openStore()
        let request = Band.all
            .prefetching(\.players) { $0.sorted(by: \.id, .descending) }
            .prefetching(\.hits) { $0.sorted(by: \.id) }
        let read = try #require(try store.read { try $0.firstItem(for: request) })
        #expect(read.hits.items?.map(\.id) == ["a", "b"])

        #expect(try json(read) == #"{"founder":1,"id":7,"name":"Seven","players":[2,1]}"#)
    }

    @Test func `no item is nil if it was read`() throws {
        let store = try openStore()
        try store.writeSync { _ = try $0.delete(id: 5, of: Agent.self) }
        let read = try #require(try store.read { try $0.firstItem(for: Band.all.prefetching(\.agent)) })

        #expect(try json(read) == #"{"agent":null,"founder":1,"id":7,"name":"Seven"}"#)
    }

    @Test func `a list by itself is nil if it is not known, and keeps what is stored`() throws {
        #expect(try json(ToMany<Player>.notGiven) == "null")
        #expect(try json(OrderedToMany<Hit>.notGiven) == "null")
        #expect(try json(ToMany<Player>(ids: [1, 2])) == "[1,2]")
        let decoder = JSONDecoder()
        let players = try decoder.decode(ToMany<Player>.self, from: Data("null".utf8))
        #expect(players.assignedIdentifiers == nil)
        let hits = try decoder.decode(OrderedToMany<Hit>.self, from: Data("[\"b\"]".utf8))
        #expect(hits.assignedIdentifiers == [.string("b")])
    }

    @Test func `items that JSON gives replace those that are stored`() throws {
        let store = try openStore()
        let given = try band(#"{"agent":null,"hits":["a"],"id":7,"name":"New","players":[]}"#)

        try store.writeSync { try $0.update(given) }

        try store.read { accessor in
            let band = try #require(try accessor.item(id: 7, of: Band.self))
            #expect(band.name == "New")
            #expect(try accessor.ids(for: band.hits.request) == ["a"])
            #expect(try accessor.ids(for: band.players.request) == [])
            #expect(try accessor.item(id: 5, of: Agent.self)?.band == nil)
        }
        #expect(try json(given) == #"{"agent":null,"hits":["a"],"id":7,"name":"New","players":[]}"#)
    }

    @Test func `an identifier of another kind is an error`() throws {
        #expect(throws: DecodingError.self) { try band(#"{"hits":[1],"id":7,"name":"New"}"#) }
        #expect(throws: DecodingError.self) { try band(#"{"players":"x","id":7,"name":"New"}"#) }
    }

    @Test func `the details of a store name its engine`() throws {
        let details = try openStore().details()

        #expect(details.engine == "Memory")
        #expect("\(details)" == "Memory at memory: Agent, Band, Hit, Player")
    }
}
