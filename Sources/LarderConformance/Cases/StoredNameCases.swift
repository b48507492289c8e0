import Larder
import LarderText

/// Attributes and relationships that have other names in the store than in the app.
enum StoredNameCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Filters and orders as text have the names of the app", proves: 6, 13) { world in
            let store = try openFilled(world)
            let texts: [(String, [Int64])] = [
                ("title == \"Blue\"", [2]), ("artist == \"Blue\"", [3]), ("artist == nil", [2]),
                ("seconds > 100 AND title != artist", [1, 3]), ("album.name == \"First\"", [1, 2]),
                ("album == nil", [3]), ("ANY labels.name == \"Second\"", [1, 3]), ("labels.@count == 0", [2]),
            ]

            for (text, expected) in texts {
                let filter = try Filter<Song>(text: text)
                try expect(Song.where(filter), gives: expected, in: store)
                try expect(filter.text, equals: text)
            }
            try expect(
                try DataStoreRequest<Song>(filter: nil, sort: "seconds DESC"), gives: [3, 1, 2], in: store)
            try expect(
                try DataStoreRequest<Song>(filter: nil, sort: "album.name, title DESC"), gives: [3, 1, 2],
                in: store)
            try expect(try DataStoreRequest<Album>(filter: "songs.@count > 1"), gives: [1], in: store)
            for text in [
                "name == \"x\"", "length > 3", "album_id == nil", "album.album_name == \"x\"",
                "ANY tags.id == 1",
            ] {
                let error = try expectError(.unknownAttribute) { _ = try Filter<Song>(text: text) }
                try expect(error.message.contains("no attribute"), "the name is unknown: \(error)")
            }
            let calculated = try expectError(.wrongType) { _ = try Filter<Song>(text: "(seconds) > 5.5") }
            try expect(calculated.attribute, equals: "seconds")
            try expect(calculated.message.hasPrefix("seconds, of type int64,"), "the name in: \(calculated)")
            let pattern = try expectError(.invalidText) { _ = try Filter<Song>(text: "artist MATCHES \"(\"") }
            try expect(pattern.attribute, equals: "artist")
        }
        ConformanceCase("Values by name and changes have the names of the app", proves: 5, 13) { world in
            let store = try openFilled(world)

            let result = try store.writeSyncReportingChanges { accessor in
                let song = try require(try accessor.mutableItem(id: 1, of: Song.self))
                try expect(try song.value(forKey: "title") as? String, equals: "Red")
                try expect(try song.value(forKey: "artist") as? String, equals: "Ann")
                try song.setValue("Rot", forKey: "title")
                try song.setValue(nil, forKey: "artist")
                try song.setValue(99, forKey: "seconds")
                try song.labels.add(id: 1)
                for name in ["name", "length", "album_id", "tags"] {
                    let error = try expectError(.unknownAttribute) { _ = try song.value(forKey: name) }
                    try expect(error.attribute, equals: name)
                }
                let error = try expectError(.wrongType) { try song.setValue(5, forKey: "title") }
                try expect(error.attribute, equals: "title")
            }

            let names: Set<String> = ["title", "artist", "seconds", "labels"]
            try expect(result.changes.updated(Song.self).map(\.attributes), equals: [names])
            let stored = try require(try store.item(1, of: Song.self))
            try expect([stored.title, stored.artist, "\(stored.seconds)"], equals: ["Rot", nil, "99"])
            let error = try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Song(4, "Rot", by: "new"))
            }
            try expect(error.attribute, equals: "title")
            try expect(error.message, equals: "The item 1 already has the title \"Rot\".")
        }
        ConformanceCase("A sum of groups that overflows has the name of the app", proves: 13, 20) { world in
            let store = try world.open(Song.self, Album.self)
            try store.writeSync { accessor in
                try accessor.insert(Album(1, "First"))
                try accessor.insert(Song(1, "Red", seconds: .max, on: 1))
                try accessor.insert(Song(2, "Blue", seconds: 1, on: 1))
            }

            try store.read { accessor in
                let groups = Song.all.grouped(by: \.album.name)
                let error = try expectError(.overflow) {
                    _ = try accessor.groups(for: groups, .sum(\.seconds))
                }
                try expect(error.attribute, equals: "seconds")
                try expect(error.message, equals: "An Int64 cannot hold the sum of seconds.")
            }
        }
        ConformanceCase("A merge names conflicts as the app does", proves: 11, 19) { world in
            let store = try openFilled(world)
            let child = try store.makeChildDataStore()
            try child.setup()
            try child.writeSync { accessor in
                let song = try require(try accessor.mutableItem(id: 1, of: Song.self))
                (song.title, song.artist) = ("child", "child")
                try accessor.insert(Song(8, "taken", by: "child"))
            }
            try store.writeSync { accessor in
                let song = try require(try accessor.mutableItem(id: 1, of: Song.self))
                song.title = "parent"
                try require(try accessor.mutableItem(id: 2, of: Song.self)).title = "taken"
            }

            let kinds: [MergeConflict.Kind] = [
                .changedOnBothSides(attribute: "title"), .notUnique(attribute: "title", holder: .integer(2)),
            ]
            let found = try store.mergePreview(child).conflicts
            try expect(Set(found.map(\.kind)), equals: Set(kinds))
            let both = try require(found.first { $0.kind == kinds[0] })
            try expect(
                both.description,
                equals: """
                    Song 1: title was changed on both sides (base "Red", child "child", parent "parent")
                    """)
            try store.merge(
                child,
                policy: .resolve { conflict in
                    .value(conflict.kind == kinds[0] ? "both" : "free")
                })
            let titles = try store.items(Song.all).map(\.title)
            try expect(titles, equals: ["both", "taken", "Green", "free"])
            try expect(try store.item(1, of: Song.self)?.artist, equals: "child")
        }
        ConformanceCase("Links that a child has staged have the names of the app", proves: 13, 18) { world in
            let store = try openFilled(world)
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                let song = try require(try accessor.mutableItem(id: 1, of: Song.self))
                try song.labels.add(id: 1)
                try song.labels.remove(id: 2)
            }

            let staged = try child.stagedChanges
            try expect(staged.linked.map(\.relationship), equals: ["labels"])
            try expect(staged.unlinked.map(\.itemType), equals: ["Song"])
            try expect(
                staged.description, equals: "linked Song.labels: 1 - 1\nunlinked Song.labels: 1 - 2")
        }
        ConformanceCase("The description of a store has the names of the store", proves: 12, 13) { world in
            let store = try openFilled(world)
            let songs = try store.items(Song.all)
            try world.closeAll()
            let adapter = try world.makeStore(Song.self, Album.self).coordinator.adapter

            let stored = try require(try adapter.storedSchema())
            let song = try require(stored.entity(named: "Song"))
            try expect(
                song.attributes.map(\.name), equals: ["id", "name", "title", "length", "album_id"])
            try expect(song.indexes.map(\.attributes), equals: [["name"], ["length"], ["album_id"]])
            try expect(song.relationships.map(\.name), equals: ["tags", "album_id"])
            try expect(stored.entity(named: "Song.tags")?.isLink, equals: true)
            try expect(
                try require(stored.entity(named: "Album")).relationships.map(\.inverse),
                equals: ["album_id"])

            try adapter.open(try StoreSchema(of: stored))
            try adapter.close()
            try expect(try adapter.storedSchema(), equals: stored)
            try expect(try world.open(Song.self, Album.self).items(Song.all), equals: songs)
        }
        ConformanceCase("A property gets another name in Swift without a change of the store", proves: 12, 13)
        {
            world in
            typealias Now = Versioned<RenamedTune>
            try storeTunes(world)
            let adapter = try world.makeStore(Now.self).coordinator.adapter
            let stored = try adapter.storedSchema()

            let store = try world.reopen(Now.self)
            try expect(try DataStoreRequest<Now>(filter: "label == \"A\""), gives: [1], in: store)
            try expectError(.unknownAttribute) { _ = try DataStoreRequest<Now>(filter: "title == \"A\"") }
            try world.closeAll()
            try expect(try adapter.storedSchema(), equals: stored)
        }
        ConformanceCase("A stored attribute can get a name of its own later", proves: 12, 13) { world in
            typealias Now = Versioned<NamedTune>
            try storeTunes(world)

            let store = try world.reopen(Now.self)
            try expect(try DataStoreRequest<Now>(filter: "title == \"A\""), gives: [1], in: store)
            try expect(
                try store.items(Now.all).map(\.values),
                equals: [[.text("A"), .integer(1)], [.text("B"), .integer(2)]])
            try store.writeSync { accessor in
                try accessor.insert(Now(3, .text("C"), .integer(3)))
                try expectError(.uniqueViolation) { try accessor.insert(Now(4, .text("A"), .integer(4))) }
            }
            try world.closeAll()
            let adapter = try world.makeStore(Now.self).coordinator.adapter
            let tune = try require(try adapter.storedSchema()?.entity(named: "Tune"))
            try expect(tune.attributes.map(\.name), equals: ["id", "tune_title", "stars"])
        }
        ConformanceCase(
            "A store that the types do not fit is reported by the names of the app", proves: 12, 13
        ) {
            world in
            try storeTunes(world)

            let mismatch = try expectError(.schemaMismatch) {
                _ = try world.reopen(Versioned<NumberTune>.self)
            }
            try expect(mismatch.differences.map(\.attribute), equals: ["label", "score"])
            try expect(
                mismatch.message,
                equals: """
                    The store does not fit the app's item types: Tune.label is stored as string, not int64; \
                    Tune.score is new and has neither a default nor may be nil.
                    """)

            let value = try expectError(.invalidValue) {
                _ = try world.reopen(Versioned<UnnumberedTune>.self)
            }
            try expect(value.attribute, equals: "score")
            _ = try world.reopen(Versioned<PlainTune>.self)
        }
        ConformanceCase(
            "Items that break a new rule are reported by the names of the app", proves: 11, 12, 15
        ) {
            world in
            try storeTunes(world, stars: 7)

            let clash = try expectError(.uniqueViolation) {
                _ = try world.reopen(Versioned<RankedTune>.self)
            }
            try expect(clash.attribute, equals: "rank")
            try expect(
                clash.message,
                equals: "The items 1 and 2 of Tune have the same rank 7, which has to be unique.")

            let lost = try expectError(.targetNotFound) {
                _ = try world.reopen(Versioned<OwnedTune>.self, Keyed<Int64>.self)
            }
            try expect(lost.attribute, equals: "owner")
            try expect(
                lost.message, equals: "Tune 1 refers by owner to Keyed by Int64 7, which does not exist.")
            try expect(
                lost.advice,
                equals: """
                    Correct or delete the item with a version of the app in which Tune.owner is not this \
                    relationship; then try again.
                    """)
            _ = try world.reopen(Versioned<PlainTune>.self)
        }
        ConformanceCase("Relationships that are declared wrong have the names of the app", proves: 12, 15) {
            world in
            let required = try expectError(.invalidSchema) {
                _ = try world.open(Versioned<BoundTune>.self, Keyed<Int64>.self)
            }
            try expect(required.attribute, equals: "owner")
            try expect(
                required.message,
                equals: """
                    Tune.owner is required, and Keyed by Int64 does not say what happens to it when an item is \
                    deleted.
                    """)
            let forgotten = try expectError(.invalidSchema) {
                _ = try world.reopen(Versioned<Sleeve>.self, Versioned<SleevedTune>.self)
            }
            try expect(forgotten.attribute, equals: "tunes")
            try expect(
                forgotten.message,
                equals: """
                    Sleeve.tunes names no inverse, and Tune.sleeve refers back to Sleeve. Both would be stored, and \
                    neither would show a change of the other.
                    """)
            try expect(forgotten.advice.contains(".sleeve). If"), "the name in: \(forgotten.advice)")
            _ = try world.reopen(Versioned<PlainTune>.self)
        }
        ConformanceCase("Two attributes of one property are refused", proves: 12) { world in
            let error = try expectError(.invalidSchema) { _ = try world.open(Versioned<DoubledTune>.self) }

            try expect(error.itemType, equals: "Tune")
            try expect(
                error.message,
                equals: "The declaration of Tune is wrong: "
                    + "two attributes or relationships are of the property \"title\".")
            try expectError(.invalidSchema) { _ = try world.open(Versioned<CrossedTune>.self) }
            _ = try world.open(Versioned<NamedTune>.self)
        }
    }

    private static func openFilled(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Song.self, Album.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Album(1, "First"), Album(2, "Second")])
            let red = try accessor.insert(Song(1, "Red", by: "Ann", seconds: 200, on: 1))
            try accessor.insert(Song(2, "Blue", seconds: 100, on: 1))
            let green = try accessor.insert(Song(3, "Green", by: "Blue", seconds: 300))
            try red.labels.add(id: 2)
            try green.labels.add(id: 2)
        }
        return store
    }

    /// Stores two tunes, with other stars each if none are given.
    private static func storeTunes(_ world: ConformanceWorld, stars: Int64? = nil) throws {
        let store = try world.open(Versioned<PlainTune>.self)
        try store.writeSync { accessor in
            try accessor.insert(Versioned<PlainTune>(1, .text("A"), .integer(stars ?? 1)))
            try accessor.insert(Versioned<PlainTune>(2, .text("B"), .integer(stars ?? 2)))
        }
        try world.closeAll()
    }

    private enum PlainTune: ItemVersion {
        static let schema = tune(.attribute("title", String.self))
    }

    /// The property has a new name, and the store keeps the old one.
    private enum RenamedTune: ItemVersion {
        static let schema = tune(.attribute("title", String.self, property: "label"))
    }

    /// The property keeps its name, and the store has a new one.
    private enum NamedTune: ItemVersion {
        static let schema = tune(
            .attribute("tune_title", String.self, property: "title", originalName: "title"))
    }

    private enum DoubledTune: ItemVersion {
        static let schema = tune(
            .attribute("title", String.self), .attribute("other", String.self, property: "title"))
    }

    private enum CrossedTune: ItemVersion {
        static let schema = tune(
            .attribute("title", String.self), .attribute("title", String.self, property: "other"))
    }

    private enum NumberTune: ItemVersion {
        static let schema = tune(
            .attribute("title", Int64.self, property: "label"),
            .attribute("points", Double.self, property: "score"))
    }

    /// The default of an attribute cannot be stored.
    private enum UnnumberedTune: ItemVersion {
        static let schema = tune(
            .attribute("title", String.self),
            .attribute("points", Double.self, property: "score", default: .nan))
    }

    private enum RankedTune: ItemVersion {
        static let schema = tune(
            stars: .attribute("stars", Int64.self, property: "rank"), indexes: [.unique("stars")])
    }

    private enum OwnedTune: ItemVersion {
        static let schema = tune(stars: .attribute("stars", ToOne<Keyed<Int64>>?.self, property: "owner"))
    }

    private enum BoundTune: ItemVersion {
        static let schema = tune(stars: .attribute("stars", ToOne<Keyed<Int64>>.self, property: "owner"))
    }

    private enum SleevedTune: ItemVersion {
        static let schema = tune(
            stars: .attribute("stars", ToOne<Versioned<Sleeve>>?.self, property: "sleeve"))
    }

    private enum Sleeve: ItemVersion {
        static let schema = EntitySchema(
            "Sleeve", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship("kept_tunes", ToMany<Versioned<SleevedTune>>.self, property: "tunes")
            ])
    }

    /// The type, with another last attribute.
    private static func tune(stars: AttributeSchema, indexes: [IndexDeclaration] = []) -> EntitySchema {
        EntitySchema(
            "Tune",
            attributes: [.attribute("id", Int64.self), .attribute("title", String.self), stars],
            indexes: indexes)
    }

    /// The type, with an attribute that is unique in front.
    private static func tune(_ first: AttributeSchema, _ others: AttributeSchema...) -> EntitySchema {
        EntitySchema(
            "Tune",
            attributes: [.attribute("id", Int64.self), first] + others + [.attribute("stars", Int64.self)],
            indexes: [IndexDeclaration.unique(first.name)])
    }
}
