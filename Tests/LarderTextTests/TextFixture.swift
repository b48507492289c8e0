import Foundation
import Larder
import LarderText

/// What the tests of the text form read and sort by: one attribute of each type, and odd names.
enum Dish {
    enum Course: String, AttributeValue { case starter, main, dessert }

    struct Nutrition: CodableAttribute { var energy: Int }

    static let entity = EntitySchema(
        "Dish",
        attributes: [
            .attribute("id", ItemID<Plate>.self),
            .attribute("name", String.self),
            .attribute("rating", Double.self),
            .attribute("portions", Int.self),
            .attribute("level", Int8.self),
            .attribute("stock", UInt16.self),
            .attribute("views", UInt64.self),
            .attribute("price", Decimal.self),
            .attribute("cookedAt", Date?.self),
            .attribute("token", UUID.self),
            .attribute("source", URL?.self),
            .attribute("photo", Data?.self),
            .attribute("weight", Float.self),
            .attribute("note", String?.self),
            .attribute("nutrition", Nutrition?.self),
            .attribute("isVegan", Bool.self),
            .attribute("in", Int?.self),
            .attribute("odd `name`", String?.self),
            .attribute("course", Course.self),
            .attribute("größe_2", Int32.self),
        ])

    /// The column of an attribute.
    static func column(_ name: String) -> Int { entity.column(named: name) ?? -1 }
}

/// An item for the typed doors of the text form.
struct Plate: DataStoreItem {
    let id: ItemID<Plate>
    var name: String
    var rating: Double?

    struct Attributes: Sendable {
        let id = Attribute<Plate, ItemID<Plate>>(column: 0)
        let name = Attribute<Plate, String>(column: 1)
        let rating = Attribute<Plate, Double?>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Plate",
        attributes: [
            .attribute("id", ItemID<Plate>.self), .attribute("name", String.self),
            .attribute("rating", Double?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        rating = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(rating, at: 2)
    }
}

/// What reading a text comes to, for tables of bad texts.
struct TextFailure: Hashable, CustomStringConvertible {
    let code: DataStoreError.Code
    let column: Int

    init(_ code: DataStoreError.Code, column: Int) {
        self.code = code
        self.column = column
    }

    /// The code of an error and the column its message names.
    init?(_ error: DataStoreError) {
        guard let marker = error.message.range(of: " at column ", options: .backwards),
            let column = Int(error.message[marker.upperBound...].prefix { $0 != ":" })
        else { return nil }
        self.init(error.code, column: column)
    }

    var description: String { "\(code.rawValue) at column \(column)" }
}

extension FilterNode {
    /// Reads a filter of a type without relationships.
    init(text: String, of entity: EntitySchema) throws(DataStoreError) {
        try self.init(text: text, of: 0, in: StoreSchema(of: entity))
    }

    func text(of entity: EntitySchema) -> String { text(of: 0, in: StoreSchema(of: entity)) }
}

extension [OrderTerm] {
    /// Reads an order of a type without relationships.
    init(text: String, of entity: EntitySchema) throws(DataStoreError) {
        try self.init(text: text, of: 0, in: StoreSchema(of: entity))
    }

    func text(of entity: EntitySchema) -> String { text(of: 0, in: StoreSchema(of: entity)) }
}
