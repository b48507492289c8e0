import Foundation
import Larder

/// Links to items as URLs, and the details of an open store.
enum LinkedItemCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A link leads to its item and to no other", proves: 4, 13) { world in
            let store = try world.open(Restaurant.self, Keyed<String>.self, Keyed<UUID>.self) {
                $0.name = "Corner"
            }
            let odd = "a/b c%\u{E9}?#"
            let uuid = try require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
            try store.writeSync { accessor in
                try accessor.insert(Restaurant(1, name: "one"))
                try accessor.insert(Keyed(odd, label: "odd"))
                try accessor.insert(Keyed(uuid, label: "uuid"))
            }

            let link = try store.link(to: Restaurant(1))
            try expect(link.url.absoluteString, equals: "larder://Corner/Restaurant/\(Restaurant(1).id)")
            try expect([link.storeName, link.itemType], equals: ["Corner", "Restaurant"])
            let links = [
                try store.link(to: odd, of: Keyed<String>.self),
                try store.link(to: uuid, of: Keyed<UUID>.self),
            ]
            try expect(links[0].identifier, equals: odd)
            try store.read { accessor in
                let read = try ItemLink(link.url)
                try expect(read, equals: link)
                try expect(try accessor.item(read, of: Restaurant.self)?.name, equals: "one")
                try expect((try accessor.item(read) as? Restaurant)?.name, equals: "one")
                try expect(
                    try accessor.item(try ItemLink(links[0].url), of: Keyed<String>.self)?.label,
                    equals: "odd")
                try expect(try accessor.item(links[1], of: Keyed<UUID>.self)?.label, equals: "uuid")
                try expect(try accessor.item(try store.link(to: Restaurant(2))) == nil, "no second one")
            }
            // Also in the block that inserts it, and in a child.
            try store.writeSync { accessor in
                try accessor.insert(Restaurant(2, name: "two"))
                try expect(
                    try accessor.item(try store.link(to: Restaurant(2)), of: Restaurant.self)?.name,
                    equals: "two")
            }
            let child = try store.makeChildDataStore(named: "draft")
            try expect(try child.link(to: Restaurant(1)), equals: link)
            try expect(try child.read { try $0.item(link, of: Restaurant.self)?.name }, equals: "one")
        }
        ConformanceCase("A store whose name is empty has the links of a store without a name", proves: 13) {
            world in
            let store = try world.open(Restaurant.self) { $0.name = "" }
            try store.writeSync { try $0.insert(Restaurant(1, name: "one")) }

            let link = try store.link(to: Restaurant(1))

            try expect(link.url.absoluteString, equals: "larder:///Restaurant/\(Restaurant(1).id)")
            try expect(try store.read { try $0.item(link, of: Restaurant.self)?.name }, equals: "one")
        }
        ConformanceCase("A link to another store, or to nothing known, is an error", proves: 13) { world in
            let store = try world.open(Restaurant.self) { $0.name = "Corner" }
            try store.writeSync { try $0.insert(Restaurant(1)) }
            func link(_ text: String) throws -> ItemLink { try ItemLink(try require(URL(string: text))) }
            let id = Restaurant(1).id

            for text in [
                "https://example.com/a/b", "larder://Corner", "larder://Corner/Restaurant",
                "larder://Corner/Restaurant/", "larder://Corner//1", "larder://Corner/Restaurant/1/2",
            ] {
                let error = try expectError(.invalidLink) { _ = try link(text) }
                try expect(error.message, equals: "\(text) is not a link to an item.")
            }
            try store.read { accessor in
                for name in ["", "Other"] {
                    let foreign = try link("larder://\(name)/Restaurant/\(id)")
                    try expectError(.invalidLink) { _ = try accessor.item(foreign) }
                    try expectError(.invalidLink) { _ = try accessor.item(foreign, of: Restaurant.self) }
                }
                // Hosts of URLs have no case.
                try expect(
                    try accessor.item(try link("larder://corner/Restaurant/\(id)")) != nil, "it is there")
                let unknown = try link("larder://Corner/Dish/1")
                let error = try expectError(.unknownItemType) { _ = try accessor.item(unknown) }
                try expect(error.itemType, equals: "Dish")
                try expectError(.wrongType) { _ = try accessor.item(unknown, of: Restaurant.self) }
                let wrong = try link("larder://Corner/Restaurant/x")
                try expectError(.invalidLink) { _ = try accessor.item(wrong) }
                try expectError(.unknownItemType) { _ = try store.link(to: Dish(1)) }
            }
            let nameless = try world.reopen(Restaurant.self)
            let plain = try nameless.link(to: Restaurant(1))
            try expect(plain.url.absoluteString, equals: "larder:///Restaurant/\(id)")
            try expect(try nameless.read { try $0.item(try ItemLink(plain.url)) } != nil, "it is there")
        }
        ConformanceCase("An open store has a description", proves: 12, 13) { world in
            let store = try world.makeStore(storing: [Song.self, Album.self]) { $0.name = "Music" }
            try expectError(.notSetUp) { _ = try store.details() }
            try store.setup()

            let details = try store.details()
            try expect(details.name, equals: "Music")
            try expect(details.location, equals: store.coordinator.adapter.location)
            try expect(details.version, equals: nil)
            try expect(details.isReadOnly, equals: false)
            try expect(details.schema.entities.map(\.name), equals: ["Song", "Album", "Song.tags"])
            let song = try require(details.schema.entities.first)
            try expect(song.attributes.map(\.name), equals: ["id", "name", "title", "length", "album_id"])
            try expect(
                song.attributes.map(\.propertyName), equals: ["id", "title", "artist", "seconds", "album"])
            let child = try store.makeChildDataStore()
            try expect(try child.details().engine, equals: "Child")
            try expect(try child.details().schema.entities.count, equals: 3)
            try store.tearDown()
            try expectError(.closed) { _ = try store.details() }
        }
    }
}
