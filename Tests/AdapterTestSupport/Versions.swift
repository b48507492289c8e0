import Larder

/// The same stored type as versions of an app have known it.
enum Dish {
    /// `id`, `name`, `price` as a small number.
    struct First: VersionedItem {
        static let schema = EntitySchema(
            "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", Int32.self),
            ],
            indexes: [.index("name")])
        var values: [Cell]
    }

    /// `name` is called `title` and may be nil, `price` is wide, `course` and `size` are new.
    struct Second: VersionedItem {
        static let schema = EntitySchema(
            "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("price", Int64.self),
                .attribute("title", String?.self, originalName: "name"),
                .attribute("course", String.self, default: "main"),
                .attribute("size", UInt64.self, default: .max), .attribute("note", String?.self),
            ],
            indexes: [.index("title"), .index("course", "price")])
        var values: [Cell]
    }

    /// `name` is unique.
    struct Unique: VersionedItem {
        static let schema = EntitySchema(
            "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", Int32.self),
            ],
            indexes: [.unique("name")])
        var values: [Cell]
    }

    /// Without the index.
    struct Bare: VersionedItem {
        static let schema = EntitySchema(
            "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", Int32.self),
            ])
        var values: [Cell]
    }

    /// `price` is text, which no number becomes by itself.
    struct Other: VersionedItem {
        static let schema = EntitySchema(
            "Dish",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("price", String.self),
            ])
        var values: [Cell]
    }
}

/// A recipe whose name is a number, which no store of ``Recipe`` can become by itself.
struct RecipeWithNumberedTitle: VersionedItem {
    static let schema = EntitySchema(
        "Recipe", attributes: [.attribute("id", Int64.self), .attribute("name", Int64.self)])
    var values: [Cell]
}

/// Attributes that no request of these tests names.
struct NoAttributes: Sendable {}

/// An item that is nothing but its cells; only numbers and text in static memory.
protocol VersionedItem: DataStoreItem where ID == Int64, Attributes == NoAttributes {
    var values: [Cell] { get set }
    init(values: [Cell])
}

extension VersionedItem {
    static var attributes: NoAttributes { NoAttributes() }

    var id: Int64 { values[0].integer }

    init(row: borrowing RowReader) throws(DataStoreError) {
        var values: [Cell] = []
        values.append(.integer(try row.value(at: 0, as: Int64.self)))
        self.init(values: values)
    }

    init(_ id: Int64) { self.init(values: [.integer(id)]) }

    init(_ id: Int64, _ name: StaticString, _ price: Int64) {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        self.init(values: [.integer(id), .text(name), .integer(price)])
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        for (column, value) in values.enumerated() {
            switch value.kind {
            case .text: try row.set(value.string, at: column)
            default: try row.set(value.integer, at: column)
            }
        }
    }
}
