import Foundation
import Larder

/// What random operations are made on: values of every stored form, with indexes of every kind.
struct Specimen<ID: SpecimenID>: DataStoreItem {
    let id: ID
    var name: String
    var note: String?
    var code: String?
    var level: Int
    var score: Double?
    var size: UInt64
    var mass: UInt64?
    var shelf: Int?
    var place: Int
    var isOpen: Bool
    var price: Decimal?
    var bytes: Data?

    struct Attributes: Sendable {
        let id = Attribute<Specimen, ID>(column: 0)
        let name = Attribute<Specimen, String>(column: 1)
        let note = Attribute<Specimen, String?>(column: 2)
        let code = Attribute<Specimen, String?>(column: 3)
        let level = Attribute<Specimen, Int>(column: 4)
        let score = Attribute<Specimen, Double?>(column: 5)
        let size = Attribute<Specimen, UInt64>(column: 6)
        let mass = Attribute<Specimen, UInt64?>(column: 7)
        let shelf = Attribute<Specimen, Int?>(column: 8)
        let place = Attribute<Specimen, Int>(column: 9)
        let isOpen = Attribute<Specimen, Bool>(column: 10)
        let price = Attribute<Specimen, Decimal?>(column: 11)
        let bytes = Attribute<Specimen, Data?>(column: 12)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { ID.specimenSchema }

    static func makeSchema() -> EntitySchema {
        EntitySchema(
            "Specimen",
            attributes: [
                .attribute("id", ID.self), .attribute("name", String.self), .attribute("note", String?.self),
                .attribute("code", String?.self), .attribute("level", Int.self),
                .attribute("score", Double?.self), .attribute("size", UInt64.self),
                .attribute("mass", UInt64?.self), .attribute("shelf", Int?.self),
                .attribute("place", Int.self), .attribute("isOpen", Bool.self),
                .attribute("price", Decimal?.self), .attribute("bytes", Data?.self),
            ],
            indexes: [
                .index("name"), .unique("code"), .index("level", "score"), .index("score"), .index("size"),
                .unique("shelf", "place"),
            ])
    }
}

extension Specimen {
    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        note = try row.value(at: 2)
        code = try row.value(at: 3)
        level = try row.value(at: 4)
        score = try row.value(at: 5)
        size = try row.value(at: 6)
        mass = try row.value(at: 7)
        shelf = try row.value(at: 8)
        place = try row.value(at: 9)
        isOpen = try row.value(at: 10)
        price = try row.value(at: 11)
        bytes = try row.value(at: 12)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(note, at: 2)
        try row.set(code, at: 3)
        try row.set(level, at: 4)
        try row.set(score, at: 5)
        try row.set(size, at: 6)
        try row.set(mass, at: 7)
        try row.set(shelf, at: 8)
        try row.set(place, at: 9)
        try row.set(isOpen, at: 10)
        try row.set(price, at: 11)
        try row.set(bytes, at: 12)
    }
}

extension Specimen {
    /// The same values under another identifier.
    func kept(under id: ID) -> Specimen {
        Specimen(
            id: id, name: name, note: note, code: code, level: level, score: score, size: size, mass: mass,
            shelf: shelf, place: place, isOpen: isOpen, price: price, bytes: bytes)
    }
}

extension Specimen: CustomStringConvertible {
    /// The values for the log; long text is shortened.
    var description: String {
        let values: [(String, any ModelValue)] = [
            ("name", name), ("note", note), ("code", code), ("level", level), ("score", score),
            ("size", size),
            ("mass", mass), ("shelf", shelf), ("place", place), ("isOpen", isOpen), ("price", price),
            ("bytes", bytes),
        ]
        let text = values.filter { !$1.isMissing }.map { "\($0): \(Values.text($1))" }
        return "{\(Values.text(id)) \(text.joined(separator: ", "))}"
    }
}
