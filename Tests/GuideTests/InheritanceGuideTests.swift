import Larder
import LarderMemory
import Testing

/// The code of "Entity inheritance" in the migration guide.
struct InheritanceGuideTests {
    private func makeStore(_ types: any DataStoreItem.Type...) throws -> any DataStore {
        let store = MemoryDataStore(storing: types)
        try store.setup()
        return store
    }

    @Test func `one type with a kind`() throws {
        typealias Trip = OneTypeOfTrip.Trip
        let store = try makeStore(Trip.self)
        try store.writeSync { accessor in
            try accessor.insert(Trip(name: "Fair", kind: .business, budget: 2_000))
            try accessor.insert(Trip(name: "Office", kind: .business, budget: 100))
            try accessor.insert(Trip(name: "Beach", kind: .personal, reason: "rest"))
        }

        let all = Trip.all.sorted(by: \.name)
        let costly = Trip.where(\.kind == .business && \.budget > 1_000)

        #expect(try store.read { try $0.items(for: all) }.map(\.name) == ["Beach", "Fair", "Office"])
        #expect(try store.read { try $0.items(for: costly) }.map(\.name) == ["Fair"])
    }

    @Test func `a kind that is not known has a stand-in`() throws {
        let storage = MemoryStorage()
        let newer = MemoryDataStore(storing: [Newer.Trip.self], in: storage)
        try newer.setup()
        try newer.writeSync { try $0.insert(Newer.Trip(name: "Camp", kind: .school)) }
        try newer.tearDown()

        let older = MemoryDataStore(storing: [OneTypeOfTrip.Trip.self], in: storage)
        try older.setup()
        let error = #expect(throws: DataStoreError.self) {
            try older.read { try $0.items(for: OneTypeOfTrip.Trip.all) }
        }
        try older.tearDown()
        let careful = MemoryDataStore(storing: [Careful.Trip.self], in: storage)
        try careful.setup()

        #expect(error?.code == .undecodable)
        #expect(try careful.read { try $0.items(for: Careful.Trip.all) }.map(\.kind) == [.personal])
    }

    enum Newer {
        enum Kind: String, AttributeValue {
            case business, personal, school
        }

        @StoredItem
        struct Trip {
            var name: String
            @Indexed var kind: Kind
            var budget: Double?
            var reason: String?
        }
    }

    enum Careful {
        @StoredItem
        struct Trip {
            var name: String
            @Indexed @Attribute(fallback: OneTypeOfTrip.Kind.personal) var kind: OneTypeOfTrip.Kind
            var budget: Double?
            var reason: String?
        }
    }

    @Test func `a common item and its details`() throws {
        typealias Trip = TripWithDetails.Trip
        typealias BusinessDetails = TripWithDetails.BusinessDetails
        typealias PersonalDetails = TripWithDetails.PersonalDetails
        typealias Ticket = TripWithDetails.Ticket
        let store = try makeStore(Trip.self, BusinessDetails.self, PersonalDetails.self, Ticket.self)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }

        try store.writeSync { accessor in
            let fair = try accessor.insert(Trip(name: "Fair"))
            try accessor.insert(BusinessDetails(budget: 2_000, trip: ToOne(fair)))
            let beach = try accessor.insert(Trip(name: "Beach"))
            try accessor.insert(PersonalDetails(reason: "rest", trip: ToOne(beach)))
            try accessor.insert(Ticket(seat: "12A", trip: ToOne(fair)))
        }

        let all = Trip.all.sorted(by: \.name).prefetching(\.business, \.personal)
        for trip in try store.read({ try $0.items(for: all) }) {
            if let business = trip.business.item {
                show("\(trip.name), \(business.budget)")
            } else if let personal = trip.personal.item {
                show("\(trip.name), \(personal.reason)")
            }
        }
        let business = Trip.where(.any(\.business))
        let costly = Trip.where(\.business.budget > 1_000)
        let tickets = Ticket.where(\.trip.business.budget > 1_000)

        #expect(shown == ["Beach, rest", "Fair, 2000.0"])
        #expect(try store.read { try $0.items(for: business) }.map(\.name) == ["Fair"])
        #expect(try store.read { try $0.items(for: costly) }.map(\.name) == ["Fair"])
        #expect(try store.read { try $0.items(for: tickets) }.map(\.seat) == ["12A"])

        try store.writeSync { try $0.deleteItems(for: Trip.where(\.name == "Fair")) }
        #expect(try store.read { try $0.countItems(for: BusinessDetails.all) } == 0)
        #expect(try store.read { try $0.items(for: Ticket.all) }.map { $0.trip == nil } == [true])
    }

    @Test func `a union of two types`() throws {
        typealias Trip = TripUnion.Trip
        typealias BusinessTrip = TripUnion.BusinessTrip
        typealias PersonalTrip = TripUnion.PersonalTrip
        typealias Ticket = TripUnion.Ticket
        let store = try makeStore(BusinessTrip.self, PersonalTrip.self, Ticket.self)
        let fair = BusinessTrip(name: "Fair", budget: 2_000)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [fair, BusinessTrip(name: "Visit", budget: 200)])
            try accessor.insert(PersonalTrip(name: "Fairground", reason: "fun"))
            try accessor.insert(Ticket(seat: "12A", trip: ToAny(fair)))
        }

        let first = try store.read { try $0.items(for: Trip.all.sorted(by: \.name).limit(20)) }
        let fairs = Trip.where { $0.name.hasPrefix("Fair") }
        let costly = Trip.where(.only(BusinessTrip.self, \.budget > 1_000))

        let names = first.map { trip in
            switch trip {
            case .business(let trip): trip.name
            case .personal(let trip): trip.name
            }
        }
        #expect(names == ["Fair", "Fairground", "Visit"])
        #expect(try store.read { try $0.countItems(for: fairs) } == 2)
        #expect(try store.read { try $0.ids(for: costly) } == [ToAny(fair)])
        try store.writeSync { accessor in
            let ticket = try #require(try accessor.firstItem(for: Ticket.all))
            let trip = try accessor.item(ticket.trip)
            let tickets = try accessor.items(for: Ticket.where(\.trip == ToAny(fair)))
            try accessor.delete(fair)
            #expect(trip?.id == ToAny(fair))
            #expect(tickets.map(\.seat) == ["12A"])
        }
        #expect(try store.read { try $0.items(for: Ticket.all) }.map { $0.trip == nil } == [true])

        let byName = Trip.all.sorted(by: \.name)
        let next = try store.read { try $0.page(of: byName, after: first.last, size: 20) }
        let greatest = try store.read { try $0.maximum(\.name, for: Trip.all) }
        let trips = try store.read { try $0.items(for: byName) }
        let changes = trips.map(\.id).difference(from: first.map(\.id)).inferringMoves()
        #expect(next.items.isEmpty && !next.hasMore)
        #expect(greatest == "Visit")
        #expect(changes.map { $0 } == [.remove(offset: 0, element: ToAny(fair), associatedWith: nil)])
    }

    @Test func `a protocol and a request for each type`() throws {
        typealias Trip = TripsByProtocol.Trip
        typealias BusinessTrip = TripsByProtocol.BusinessTrip
        typealias PersonalTrip = TripsByProtocol.PersonalTrip
        let store = try makeStore(BusinessTrip.self, PersonalTrip.self)
        try store.writeSync { accessor in
            try accessor.insert(BusinessTrip(name: "Fair", budget: 2_000))
            try accessor.insert(PersonalTrip(name: "Beach", reason: "rest"))
        }

        let trips = try store.read { accessor in
            let business: [any Trip] = try accessor.items(for: BusinessTrip.all)
            let personal: [any Trip] = try accessor.items(for: PersonalTrip.all)
            return (business + personal).sorted { $0.name < $1.name }
        }

        #expect(trips.map(\.name) == ["Beach", "Fair"])
    }
}
