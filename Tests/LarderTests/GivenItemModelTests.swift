import Larder
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// Imports of random owners with lists of stored items, many of which wait for a name, beside a dictionary that takes
/// one source after the other.
///
/// Some of the items wait too: no two with one label may be in a crate.
@Suite(.smallBatches) struct GivenItemModelTests {
    private struct Source: Sendable {
        let id: Int64
        var name: String?
        var things: [Int64]?
    }

    /// The names of the crates, and for each thing its crate; 0 for none.
    private struct Model: Equatable {
        var names: [Int64: String] = [:]
        var crates: [Int64: Int64] = [:]

        mutating func take(_ sources: [Source], _ items: ImportedItems) {
            var left: Set<Int64> = []
            for source in sources {
                if let name = source.name { names[source.id] = name }
                guard let things = source.things else { continue }
                for (thing, crate) in crates where crate == source.id {
                    switch items {
                    case .add: continue
                    case .replace: crates[thing] = 0
                    case .replaceDeleting: left.insert(thing)
                    }
                }
                for thing in things {
                    crates[thing] = source.id
                    left.remove(thing)
                }
            }
            for thing in left { crates[thing] = nil }
        }

        /// True if no crate has two things with one label.
        var isUnique: Bool {
            let packed = crates.filter { $0.value != 0 }
            return Set(packed.map { [$0.value, Thing.label(of: $0.key)] }).count == packed.count
        }

        /// Puts a thing into a crate, or into none if that has one with its label.
        mutating func put(_ thing: Int64, into crate: Int64) {
            crates[thing] = crate
            if !isUnique { crates[thing] = 0 }
        }
    }

    @Test(arguments: [ImportedItems.add, .replace, .replaceDeleting])
    func `items go to the owners that sources give them to, one after the other`(items: ImportedItems) throws
    {
        var seed = Seed.ofProcess()
        let map = ImportMap<Crate, Source>(by: \.id, from: \.id) {
            Import(\.name, ifPresent: \.name)
            Import(\.things, by: \.id, from: \.things, items)
        }
        var (accepted, refused) = (0, 0)
        for round in Repetitions.rounds(60, long: 3000) {
            let store = try TemporaryStore(storing: [Crate.self, Thing.self])
            let count = Int64.random(in: 1...600, using: &seed)
            let things = 1...Int64.random(in: 1...40, using: &seed)
            var model = Model()
            // The others are new.
            let storedCount = max(1, count / 2)
            for id in 1...storedCount { model.names[id] = "c\(id)" }
            for thing in things { model.put(thing, into: Int64.random(in: 0...storedCount, using: &seed)) }
            let (names, crates) = (model.names, model.crates)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: names.map { Crate($0.key, $0.value) })
                try accessor.insert(contentsOf: crates.map { Thing($0.key, in: $0.value) })
            }
            let sources = Self.sources(count, things, &seed)
            var after = model
            after.take(sources, items)

            let result = Result {
                try store.writeSync { _ = try $0.importItems(from: sources, using: map) }
            }

            switch result {
            case .success:
                #expect(after.isUnique, "round \(round), \(seed)")
                model = after
                accepted += 1
            case .failure(let error):
                #expect(DataStoreError.Code.uniqueViolation ~= error, "\(error)")
                #expect(!after.isUnique, "round \(round), \(seed): \(error)")
                refused += 1
            }
            var stored = Model()
            for crate in try store.read({ try $0.items(for: Crate.all) }) {
                stored.names[crate.id] = crate.name
            }
            for thing in try store.read({ try $0.items(for: Thing.all) }) {
                stored.crates[thing.id] = thing.crate?.id ?? 0
            }
            try #require(stored == model, "round \(round), \(seed)")
        }
        #expect(accepted > 0 && refused > 0, "\(accepted) accepted, \(refused) refused, \(seed)")
    }

    /// A source for each crate, whose names are turned among them, and others for stored crates.
    private static func sources(
        _ count: Int64, _ things: ClosedRange<Int64>, _ seed: inout Seed
    ) -> [Source] {
        func list(_ seed: inout Seed) -> [Int64]? {
            if Int.random(in: 0...3, using: &seed) > 0 { return nil }
            return (0..<Int.random(in: 0...3, using: &seed)).map { _ in Int64.random(in: things, using: &seed)
            }
        }
        let names = (1...count).map { "c\($0)" }.shuffled(using: &seed)
        var sources = zip((1...count).shuffled(using: &seed), names).map { id, name in
            Source(id: id, name: name, things: list(&seed))
        }
        for _ in 0..<Int.random(in: 0...600, using: &seed) {
            let id = Int64.random(in: 1...max(1, count / 2), using: &seed)
            let source = Source(id: id, name: nil, things: list(&seed))
            sources.insert(source, at: Int.random(in: 0...sources.count, using: &seed))
        }
        return sources
    }
}

/// A crate, whose name no other one has.
private struct Crate: DataStoreItem {
    let id: Int64
    var name: String
    var things: ToMany<Thing> = .notGiven

    init(_ id: Int64, _ name: String) {
        (self.id, self.name) = (id, name)
    }

    struct Attributes: Sendable {
        let id = Attribute<Crate, Int64>(column: 0)
        let name = Attribute<Crate, String>(column: 1)
        let things = RelationshipAttribute<Crate, ToMany<Thing>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Crate", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
        indexes: [.unique("name")],
        relationships: [
            .relationship("things", ToMany<Thing>.self, of: Crate.self, inverse: Thing.attributes.crate)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        things = try row.value(atRelationship: 0, of: Crate.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(things, atRelationship: 0)
    }
}

/// A thing, whose label no other one in its crate has.
private struct Thing: DataStoreItem {
    let id: Int64
    var crate: ToOne<Crate>?
    var label: Int64

    /// - Parameter crate: 0 for none.
    init(_ id: Int64, in crate: Int64) {
        self.id = id
        self.crate = crate == 0 ? nil : ToOne(id: crate)
        label = Self.label(of: id)
    }

    static func label(of id: Int64) -> Int64 { id % 8 }

    struct Attributes: Sendable {
        let id = Attribute<Thing, Int64>(column: 0)
        let crate = Attribute<Thing, ToOne<Crate>?>(indexedColumn: 1)
        let label = Attribute<Thing, Int64>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Thing",
        attributes: [
            .attribute("id", Int64.self), .attribute("crate", ToOne<Crate>?.self),
            .attribute("label", Int64.self),
        ], indexes: [.unique("crate", "label")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        crate = try row.value(at: 1)
        label = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(crate, at: 1)
        try row.set(label, at: 2)
    }
}
