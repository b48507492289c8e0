import struct Foundation.Date
import Larder

/// The fixed data of most cases; expectations name it by identifier.
///
/// It contains traps: text that only Swift considers equal, wild cards of other languages, ties, nil beside
/// empty.
enum Fixture {
    /// "é" as one scalar, and as "e" with a combining accent.
    static let composed = "Caf\u{E9} No\u{EB}l"
    static let decomposed = "Cafe\u{301} Noe\u{308}l"

    static let restaurants: [Restaurant] = [
        Restaurant(
            1, name: "Trattoria Roma", city: "Rome", rating: 4.5, slug: "roma", seats: 40,
            openedAt: day(0)),
        Restaurant(
            2, name: "trattoria roma", city: "Rome", rating: 4.5, slug: "roma-2", seats: 25,
            note: "Cash only"),
        Restaurant(
            3, name: "Zum L\u{F6}wen", city: "Basel", rating: 3, seats: 80, openedAt: day(-10_000),
            isOpen: false, note: ""),
        Restaurant(
            4, name: composed, city: "Paris", rating: 5, slug: "noel", seats: 12, openedAt: day(1.5),
            note: "\u{C9}TOILE"),
        Restaurant(
            5, name: decomposed, city: "Paris", rating: 4, slug: "noel-2", seats: 12, isOpen: false),
        Restaurant(
            6, name: "\u{14C}toro \u{1F363}", city: "Osaka", rating: 4.5, slug: "otoro", seats: 8,
            openedAt: day(9_000), note: "bar\u{0}counter"),
        Restaurant(7, name: "", city: "Basel", rating: 0, isOpen: false),
        Restaurant(
            8, name: "Stra\u{DF}enk\u{FC}che", city: "Berlin", rating: -1, slug: "strasse", seats: 60,
            openedAt: day(0), note: "STRASSE"),
        Restaurant(
            9, name: "STRASSENK\u{DC}CHE", city: "Berlin", rating: .infinity, slug: "Strasse", seats: 60,
            openedAt: day(0), note: "stra\u{DF}e"),
        Restaurant(
            10, name: "100% Vegan_Bar*", city: "Berlin", rating: 2.5, slug: "vegan", seats: 1_000,
            note: #"Quote ' and " and \"#),
        Restaurant(
            11, name: "\u{3A3}\u{38A}\u{3A3}\u{3A5}\u{3A6}\u{39F}\u{3A3}", city: "Athens", rating: 4,
            slug: "sisyphos", seats: 30, openedAt: day(365)),
        Restaurant(
            12, name: "\u{3C3}\u{3AF}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C2}", city: "Athens", rating: 4,
            seats: 30),
    ]

    static let dishes: [Dish] = [
        Dish(1, at: 1, name: "Pizza", cents: 900),
        Dish(2, at: 1, name: "Tiramisu", course: .dessert, cents: 600),
        Dish(3, at: 2, name: "Pizza", cents: 950),
        Dish(4, at: 3, name: "R\u{F6}sti", cents: 1_800),
        Dish(5, at: 4, name: "Soup", course: .starter, cents: 700),
        Dish(6, at: 4, name: "B\u{FB}che", course: .dessert, cents: 900),
        Dish(7, at: 6, name: "Sushi", cents: 900),
        Dish(8, at: 6, name: "Miso", course: .starter, cents: 400),
        Dish(9, name: "Bread", course: .starter, cents: 0),
        Dish(10, name: "Bread", course: .starter, cents: 0),
    ]

    /// Days after the reference date.
    static func day(_ number: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: number * 86_400)
    }
}

extension ConformanceWorld {
    /// A store for restaurants and dishes that holds only the fixed restaurants.
    func openWithRestaurants() throws -> any DataStore {
        let store = try open(Restaurant.self, Dish.self)
        try store.writeSync { try $0.insert(contentsOf: Fixture.restaurants) }
        return store
    }

    /// A store for restaurants and dishes that holds the fixed data.
    func openFilled() throws -> any DataStore {
        let store = try open(Restaurant.self, Dish.self)
        try store.writeSync(Fixture.fill)
        return store
    }
}

extension Fixture {
    /// Inserts the fixed data.
    @Sendable static func fill(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(contentsOf: restaurants)
        try accessor.insert(contentsOf: dishes)
    }

    /// The restaurant of this identifier.
    static func restaurant(_ id: Int) -> Restaurant { restaurants[id - 1] }

    /// The dish of this identifier.
    static func dish(_ id: Int) -> Dish { dishes[id - 1] }

    /// All identifiers of restaurants except these.
    static func restaurants(except ids: Int64...) -> [Int64] {
        restaurants.map(\.id.rawValue).filter { !ids.contains($0) }
    }
}
