import Larder

/// The two ways in which an app may declare the stored meals: accepting or refusing raw values of later
/// versions.
protocol MealReading: Sendable {
    /// The fallback for a course that this app does not know, or nil to refuse it.
    static var fallback: Course? { get }
}

enum Strict: MealReading {
    static let fallback: Course? = nil
}

enum Lenient: MealReading {
    static let fallback: Course? = .main
}

/// A stored item with an enum, as read by an app that is strict or lenient about it.
struct Meal<Reading: MealReading>: DataStoreItem, Equatable {
    let id: Int64
    var course: Course
    var level: Level?
    var price: Int

    init(_ id: Int64, course: Course = .main, level: Level? = nil, price: Int = 0) {
        self.id = id
        self.course = course
        self.level = level
        self.price = price
    }

    struct Attributes: Sendable {
        let id = Attribute<Meal, Int64>(column: 0)
        let course = Attribute<Meal, Course>(column: 1)
        let level = Attribute<Meal, Level?>(column: 2)
        let price = Attribute<Meal, Int>(column: 3)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { MealAsStored.schema }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        if let fallback = Reading.fallback {
            course = try row.value(at: 1, fallback: fallback)
        } else {
            course = try row.value(at: 1)
        }
        level = try row.value(at: 2)
        price = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(course, at: 1)
        try row.set(level, at: 2)
        try row.set(price, at: 3)
    }
}

/// The same item with its raw values.
enum MealAsStored: ItemVersion {
    static let schema = EntitySchema(
        "Meal",
        attributes: [
            .attribute("id", Int64.self), .attribute("course", Course.self), .attribute("level", Level?.self),
            .attribute("price", Int.self),
        ],
        indexes: [.index("course")])
}

/// A meal or a dish.
enum Plate: ItemUnion, Equatable {
    case meal(Meal<Lenient>)
    case dish(Dish)

    static let members: [UnionMember<Plate>] = [
        .type(Meal<Lenient>.self, Plate.meal), .type(Dish.self, Plate.dish),
    ]

    struct Attributes: Sendable {
        let course = UnionAttribute<Plate, Course>(Meal<Lenient>.attributes.course, Dish.attributes.course)
    }

    static let attributes = Attributes()

    var item: any DataStoreItem {
        switch self {
        case .meal(let item): item
        case .dish(let item): item
        }
    }
}
