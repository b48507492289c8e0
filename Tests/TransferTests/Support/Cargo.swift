import Foundation
import Larder

@testable import LarderConformance

/// What is moved: an item with every type of attribute, and items with every kind of identifier.
enum Cargo {
    static let types: [any DataStoreItem.Type] = [
        Everything.self, Keyed<Int64>.self, Keyed<String>.self, Keyed<UUID>.self,
    ]

    static let everything = [Everything.smallest(1), .greatest(2), .emptyButThere(.max)]
    static let numbered = (-10..<15).map { Keyed(Int64($0), label: "n\($0)", rank: Int($0) % 3) }
    static let named = Samples.text.filter { !$0.isEmpty }.map { Keyed($0, label: nil, rank: $0.count) }
    static let unique = Samples.uuid.map { Keyed($0, label: $0.uuidString) }

    static var count: Int { everything.count + numbered.count + named.count + unique.count }

    /// Makes a store that holds all of it.
    static func fill(_ place: Place) throws {
        try place.withStore { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: everything)
                try accessor.insert(contentsOf: numbered.shuffled())
                try accessor.insert(contentsOf: named)
                try accessor.insert(contentsOf: unique)
            }
        }
    }

    /// Whether a store holds all of it and nothing else, as the app reads it.
    static func isWhole(in place: Place) throws -> Bool {
        try place.withStore { store in
            try store.read { accessor in
                let named = try accessor.items(for: Keyed<String>.all)
                return try accessor.items(for: Everything.all) == everything
                    && accessor.items(for: Keyed<Int64>.all) == numbered
                    && named == Self.named.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
                    && accessor.items(for: Keyed<UUID>.all) == unique
            }
        }
    }
}
