import Foundation
import Larder

/// A product of the sales that aggregates are computed of.
struct Product: DataStoreItem, Equatable {
    let id: ItemID<Product>
    var name: String
    var category: String?
    var weight: Double
    var sales: ToMany<Sale>

    init(_ id: Int64, _ name: String, category: String? = nil, weight: Double = 0) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.category = category
        self.weight = weight
        sales = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Product, ItemID<Product>>(column: 0)
        let name = Attribute<Product, String>(column: 1)
        let category = Attribute<Product, String?>(column: 2)
        let weight = Attribute<Product, Double>(column: 3)
        let sales = RelationshipAttribute<Product, ToMany<Sale>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Product",
        attributes: [
            .attribute("id", ItemID<Product>.self),
            .attribute("name", String.self),
            .attribute("category", String?.self),
            .attribute("weight", Double.self),
        ],
        relationships: [
            .relationship("sales", ToMany<Sale>.self, of: Product.self, inverse: Sale.attributes.product)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        category = try row.value(at: 2)
        weight = try row.value(at: 3)
        sales = try row.value(atRelationship: 0, of: Product.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(category, at: 2)
        try row.set(weight, at: 3)
        try row.set(sales, atRelationship: 0)
    }
}

/// An amount of money in the smallest coin: a type of the app's that has a sum.
struct Cents: RawRepresentable, SummableAttributeValue, Hashable {
    var rawValue: Int32
}

/// An item with values of every kind that has a sum, indexed and not.
struct Sale: DataStoreItem, Equatable {
    let id: Int64
    var product: ToOne<Product>?
    var city: String
    var units: Int
    var price: Double
    var discount: Double?
    var fee: Decimal?
    var time: Duration?
    var date: Date?
    var isPaid: Bool
    var stamp: UInt64
    var share: Float
    var tip: Cents

    init(
        _ id: Int64, of product: Int64? = nil, city: String = "", units: Int = 0, price: Double = 0,
        discount: Double? = nil, fee: Decimal? = nil, time: Duration? = nil, date: Date? = nil,
        isPaid: Bool = false, stamp: UInt64 = 0, share: Float = 0, tip: Int32 = 0
    ) {
        self.id = id
        self.product = product.map { ToOne(id: ItemID(rawValue: $0)) }
        self.city = city
        self.units = units
        self.price = price
        self.discount = discount
        self.fee = fee
        self.time = time
        self.date = date
        self.isPaid = isPaid
        self.stamp = stamp
        self.share = share
        self.tip = Cents(rawValue: tip)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Sale, Int64>(column: 0)
        let product = Attribute<Sale, ToOne<Product>?>(indexedColumn: 1)
        let city = Attribute<Sale, String>(column: 2)
        let units = Attribute<Sale, Int>(column: 3)
        let price = Attribute<Sale, Double>(column: 4)
        let discount = Attribute<Sale, Double?>(column: 5)
        let fee = Attribute<Sale, Decimal?>(column: 6)
        let time = Attribute<Sale, Duration?>(column: 7)
        let date = Attribute<Sale, Date?>(column: 8)
        let isPaid = Attribute<Sale, Bool>(column: 9)
        let stamp = Attribute<Sale, UInt64>(column: 10)
        let share = Attribute<Sale, Float>(column: 11)
        let tip = Attribute<Sale, Cents>(column: 12)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Sale",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("product", ToOne<Product>?.self),
            .attribute("city", String.self),
            .attribute("units", Int.self),
            .attribute("price", Double.self),
            .attribute("discount", Double?.self),
            .attribute("fee", Decimal?.self),
            .attribute("time", Duration?.self),
            .attribute("date", Date?.self),
            .attribute("isPaid", Bool.self),
            .attribute("stamp", UInt64.self),
            .attribute("share", Float.self),
            .attribute("tip", Cents.self),
        ],
        indexes: [.index("city"), .index("units"), .index("date"), .index("isPaid", "price")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        product = try row.value(at: 1)
        city = try row.value(at: 2)
        units = try row.value(at: 3)
        price = try row.value(at: 4)
        discount = try row.value(at: 5)
        fee = try row.value(at: 6)
        time = try row.value(at: 7)
        date = try row.value(at: 8)
        isPaid = try row.value(at: 9)
        stamp = try row.value(at: 10)
        share = try row.value(at: 11)
        tip = try row.value(at: 12)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(product, at: 1)
        try row.set(city, at: 2)
        try row.set(units, at: 3)
        try row.set(price, at: 4)
        try row.set(discount, at: 5)
        try row.set(fee, at: 6)
        try row.set(time, at: 7)
        try row.set(date, at: 8)
        try row.set(isPaid, at: 9)
        try row.set(stamp, at: 10)
        try row.set(share, at: 11)
        try row.set(tip, at: 12)
    }
}

/// Products and sales whose aggregates expectations know by heart.
enum Shop {
    static let products = [
        Product(1, "Tea", category: "Drinks", weight: 0.5),
        Product(2, "Coffee", category: "Drinks", weight: 1),
        Product(3, "Bread", weight: 2), Product(4, "Unsold"),
    ]

    /// "é" as one scalar and as two, which are different keys.
    static let cities = ["Rome", "Orl\u{E9}ans", "Orle\u{301}ans", ""]

    static let sales = [
        Sale(
            1, of: 1, city: cities[0], units: 3, price: 2.5, discount: 0.5, fee: 0.1, time: .seconds(90),
            date: day(0), isPaid: true, stamp: 5, share: 0.5, tip: 20),
        Sale(
            2, of: 1, city: cities[0], units: 1, price: 2.5, fee: 0.2, time: .milliseconds(1_500),
            date: day(31), isPaid: true, stamp: 6, share: 0.25),
        Sale(3, of: 2, city: cities[1], units: 5, price: 4, discount: 1, date: day(31), stamp: 7, tip: -5),
        Sale(
            4, of: 2, city: cities[2], units: -2, price: 3, fee: -1.05, time: .zero, date: day(-1),
            isPaid: true),
        Sale(5, of: 3, city: cities[3], units: 1, price: 0.25, isPaid: true, share: 0.125),
        Sale(6, city: cities[0], units: 7, price: -1.5, discount: 0.25, fee: 100, date: day(59.5)),
    ]

    /// Days after the reference date, which is 2001-01-01 in Greenwich.
    static func day(_ number: Double) -> Date { Date(timeIntervalSinceReferenceDate: number * 86_400) }

    /// Opens a store with all of these items.
    static func open(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(storing: types)
        try store.writeSync(fill)
        return store
    }

    static let types: [any DataStoreItem.Type] = [Product.self, Sale.self]

    /// Inserts all of these items.
    @Sendable static func fill(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(contentsOf: products)
        try accessor.insert(contentsOf: sales)
    }

    /// Opens a store with sales of these values and no products.
    static func open<Value>(
        _ world: ConformanceWorld, _ values: [Value], _ path: WritableKeyPath<Sale, Value>
    ) throws -> any DataStore {
        let store = try world.openElsewhere(Product.self, Sale.self)
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: values.enumerated().map { number, value in
                    var sale = Sale(Int64(number))
                    sale[keyPath: path] = value
                    return sale
                })
        }
        return store
    }
}
