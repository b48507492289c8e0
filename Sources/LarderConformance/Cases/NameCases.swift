import Foundation
import Larder
import LarderText

/// Values by the name of their attribute.
enum NameCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Every value can be asked for by its attribute's name", proves: 9, 13
        ) { world in
            let store = try world.open(Everything.self)
            let item = Everything.greatest(1)
            try store.writeSync { _ = try $0.insert(item) }
            let stored = try require(try store.item(item.id, of: Everything.self))

            try expect(try stored.value(forKey: "bool") as? Bool, equals: true)
            for (name, value) in [
                ("int8", Int64(Int8.max)), ("int16", Int64(Int16.max)), ("int32", Int64(Int32.max)),
                ("int64", .max),
                ("int", .max), ("uint8", 255), ("uint16", 65_535), ("uint32", 4_294_967_295), ("level", 300),
                ("id", 1),
            ] {
                try expect(try stored.value(forKey: name) as? Int64, equals: value, name)
            }
            try expect(try stored.value(forKey: "uint64") as? UInt64, equals: .max)
            try expect(try stored.value(forKey: "float") as? Float, equals: item.float)
            try expect(try stored.value(forKey: "double") as? Double, equals: .infinity)
            try expect(try stored.value(forKey: "text") as? String, equals: item.text)
            try expect(try stored.value(forKey: "data") as? Data, equals: item.data)
            try expect(try stored.value(forKey: "date") as? Date, equals: item.date)
            try expect(try stored.value(forKey: "uuid") as? UUID, equals: item.uuid)
            try expect(try stored.value(forKey: "url") as? URL, equals: item.url)
            try expect(try stored.value(forKey: "decimal") as? Decimal, equals: item.decimal)
            try expect(try stored.value(forKey: "course") as? String, equals: "starter")
            try expect(try stored.value(forKey: "maybeText") as? String, equals: item.maybeText)
        }
        ConformanceCase("A value by name has the type that is asked for", proves: 9, 13) { world in
            let store = try world.open(Everything.self)
            let item = Everything.greatest(1)
            try store.writeSync { _ = try $0.insert(item) }
            let stored = try require(try store.item(item.id, of: Everything.self))

            try expect(try stored.value(of: "int", as: Int.self), equals: item.int)
            try expect(try stored.value(of: "int8", as: Int8.self), equals: .max)
            try expect(try stored.value(of: "int8", as: Int.self), equals: 127)
            try expect(try stored.value(of: "uint64"), equals: UInt64.max)
            try expect(try stored.value(of: "course", as: Course.self), equals: item.course)
            try expect(try stored.value(of: "course", as: String.self), equals: item.course.rawValue)
            try expect(try stored.value(of: "maybeText", as: String?.self), equals: item.maybeText)
            try expect(try stored.value(of: "maybeText", as: String.self), equals: item.maybeText ?? "")
            try expect(try stored.value(of: "date", as: Date.self), equals: item.date)
            try expect(try stored.value(of: "id", as: ItemID<Everything>.self), equals: item.id)
            try store.writeSync { accessor in
                let handle = try require(try accessor.mutableItem(id: item.id, of: Everything.self))
                handle.int = 7
                try expect(try handle.value(of: "int", as: Int.self), equals: 7)
            }
        }
        ConformanceCase("A value by name of another type, or name, is an error", proves: 9, 13) { world in
            let store = try world.open(Everything.self)
            try store.writeSync { _ = try $0.insert(Everything.smallest(1)) }
            let stored = try require(try store.item(ItemID(rawValue: 1), of: Everything.self))

            let errors = [
                try expectError(.wrongType) { _ = try stored.value(of: "int", as: Int32.self) },
                try expectError(.wrongType) { _ = try stored.value(of: "int", as: String.self) },
                try expectError(.wrongType) { _ = try stored.value(of: "int", as: Double.self) },
                try expectError(.unknownAttribute) { _ = try stored.value(of: "Int", as: Int.self) },
                try expectError(.wrongType) { _ = try stored.value(of: "text", as: Course.self) },
                try expectError(.wrongType) { _ = try stored.value(of: "maybeText", as: String.self) },
            ]

            try expect(errors.map(\.attribute), equals: ["int", "int", "int", "Int", "text", "maybeText"])
            try expect(Set(errors.map(\.itemType)), equals: [Everything.schema.name])
            try expect(
                errors[5].message,
                equals: "The attribute \"maybeText\" is stored as string, and its value is not a String.")
            try expect(try stored.value(of: "maybeText", as: String?.self), equals: nil)
        }
        ConformanceCase("A value that is nil is nil by name", proves: 9) { world in
            let store = try world.open(Everything.self)
            try store.writeSync { _ = try $0.insert(Everything.smallest(1)) }
            let stored = try require(try store.item(ItemID(rawValue: 1), of: Everything.self))

            for name in [
                "maybeBool", "maybeInt8", "maybeText", "maybeData", "maybeDate", "maybeTags", "maybeFriend",
            ] {
                try expect(try stored.value(forKey: name) == nil, "nil for \(name)")
            }
            try expect(try stored.value(forKey: "text") as? String, equals: "")
        }
        ConformanceCase("An unknown name is refused, and its case matters", proves: 13) { world in
            let store = try world.openFilled()

            for name in ["", "Name", "NAME", "name ", "names", "id2"] {
                let error = try expectError(.unknownAttribute) {
                    _ = try Fixture.restaurant(1).value(forKey: name)
                }
                try expect(error.attribute, equals: name)
                try expect(error.itemType, equals: "Restaurant")
                try store.writeSync { accessor in
                    let handle = try accessor.mutableRestaurant(1)
                    try expectError(.unknownAttribute) { try handle.setValue("x", forKey: name) }
                    try expectError(.unknownAttribute) { _ = try handle.value(forKey: name) }
                }
            }
            try expect(try store.restaurant(1), equals: Fixture.restaurant(1))
        }
        ConformanceCase("A value set by name is stored", proves: 4, 13) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try handle.setValue("By name", forKey: "name")
                try handle.setValue(2.5, forKey: "rating")
                try handle.setValue(nil, forKey: "slug")
                try handle.setValue(Fixture.day(5), forKey: "openedAt")
                try handle.setValue(false, forKey: "isOpen")
                try expect(try handle.value(forKey: "rating") as? Double, equals: 2.5)
                try expect(handle.name, equals: "By name")
                try expect(try accessor.countItems(for: Restaurant.where(\.name == "By name")), equals: 1)
            }

            var expected = Fixture.restaurant(1)
            (expected.name, expected.rating, expected.slug) = ("By name", 2.5, nil)
            (expected.openedAt, expected.isOpen) = (Fixture.day(5), false)
            try expect(try store.restaurant(1), equals: expected)
        }
        ConformanceCase("Whole numbers are taken by name if they fit", proves: 9) { world in
            let store = try world.open(Everything.self)
            try store.writeSync { accessor in
                let handle = try accessor.insert(Everything.smallest(1))
                try handle.setValue(7, forKey: "int8")
                try handle.setValue(Int64(-7), forKey: "int")
                try handle.setValue(UInt8(200), forKey: "uint16")
                try handle.setValue(7, forKey: "uint64")
                try handle.setValue(UInt64.max, forKey: "uint64")
                try handle.setValue(7, forKey: "double")
                try handle.setValue(7, forKey: "float")
                try handle.setValue(7, forKey: "friend")
                try handle.setValue(Int32(9), forKey: "maybeInt64")
                for (name, value) in [
                    ("int8", 128), ("uint8", -1), ("uint8", 256), ("uint64", -1), ("float", 16_777_217),
                    ("double", 9_007_199_254_740_993),
                ] {
                    try expectError(.wrongType) { try handle.setValue(value, forKey: name) }
                }
            }

            let stored = try require(try store.item(ItemID(rawValue: 1), of: Everything.self))
            try expect(stored.int8, equals: 7)
            try expect(stored.int, equals: -7)
            try expect(stored.uint16, equals: 200)
            try expect(stored.uint64, equals: .max)
            try expect(stored.double, equals: 7)
            try expect(stored.float, equals: 7)
            try expect(stored.friend, equals: ItemID(rawValue: 7))
            try expect(stored.maybeInt64, equals: 9)
            try expect(stored.uint8, equals: 0)
        }
        ConformanceCase("A Float by name can be set back, and is taken as a Double if it fits", proves: 9) {
            world in
            let store = try world.open(Everything.self)
            var item = Everything.smallest(1)
            item.float = 0.1
            try store.writeSync { accessor in
                let handle = try accessor.insert(item)
                try handle.setValue(try handle.value(forKey: "float"), forKey: "maybeFloat")
                try handle.setValue(0.5, forKey: "float")
                try handle.setValue(Double.infinity, forKey: "float")
                try handle.setValue(0.25, forKey: "float")
                for value in [0.1, 1e300] {
                    try expectError(.wrongType) { try handle.setValue(value, forKey: "float") }
                }
            }

            let stored = try require(try store.item(ItemID(rawValue: 1), of: Everything.self))
            try expect(stored.float, equals: 0.25)
            try expect(stored.maybeFloat, equals: 0.1)
        }
        ConformanceCase(
            "A value of another type is refused by name and changes nothing", proves: 3, 9
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                let wrong: [(String, (any AttributeStorable)?)] = [
                    ("name", 5), ("name", nil), ("name", Data([1])), ("seats", "5"), ("seats", nil),
                    ("seats", 2.5),
                    ("isOpen", "true"), ("openedAt", "2024-01-01"), ("rating", "4"), ("slug", 4),
                    // A type with the same stored form is another type all the same.
                    ("openedAt", 1_700_000_000), ("openedAt", 5.5), ("seats", true), ("rating", true),
                    ("isOpen", 1), ("seats", ItemID<Restaurant>(rawValue: 5)), ("rating", Fixture.day(5)),
                ]
                for (name, value) in wrong {
                    let error = try expectError(.wrongType) { try handle.setValue(value, forKey: name) }
                    try expect(error.attribute, equals: name)
                    try expect(error.itemType, equals: "Restaurant")
                }
                try expectError(.invalidValue) { try handle.setValue(Double.nan, forKey: "rating") }
                handle.note = "still usable"
            }

            var expected = Fixture.restaurant(1)
            expected.note = "still usable"
            try expect(try store.restaurant(1), equals: expected)
        }
        ConformanceCase("The identifier is not set by name", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                let error = try expectError(.invalidValue) { try handle.setValue(Int64(50), forKey: "id") }
                try expect(error.attribute, equals: "id")
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("Names that differ only in case are two attributes", proves: 13) { world in
            let store = try world.open(Versioned<Cased>.self)
            try store.writeSync { accessor in
                let handle = try accessor.insert(
                    Versioned<Cased>(1, .text("lower"), .text("Title"), .integer(3)))
                try handle.setValue("changed", forKey: "Name")
                try handle.setValue(nil, forKey: "NAME")
            }

            let stored = try require(try store.item(1, of: Versioned<Cased>.self))
            try expect(stored.values, equals: [.text("lower"), .text("changed"), .null])
            try expect(
                try DataStoreRequest<Versioned<Cased>>(filter: #"Name == "changed""#), gives: [1], in: store)
            try expect(
                try DataStoreRequest<Versioned<Cased>>(filter: #"name == "changed""#), gives: [Int64](),
                in: store
            )
        }
    }

    private enum Cased: ItemVersion {
        static let schema = EntitySchema(
            "Cased",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("Name", String.self),
                .attribute("NAME", Int?.self),
            ],
            indexes: [.index("Name")])
    }
}
