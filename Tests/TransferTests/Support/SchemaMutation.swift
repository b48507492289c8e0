import Foundation
import Larder
import Testing

@testable import AdapterTestSupport

/// A stored schema made wrong by its meaning: it is still JSON, or nearly.
struct SchemaMutation: CustomTestStringConvertible, @unchecked Sendable {
    // reason: never changed once made; the closure captures constants only.
    typealias Object = [String: Any]

    /// What the refusal says.
    let message: String
    /// The code of the refusal of JSON Lines whose first line is changed like this; nil if they are imported.
    private(set) var codeInLines: DataStoreError.Code? = .invalidText
    private let change: (inout Object) -> Void

    var testDescription: String { message }

    func applied(to json: Data) throws -> Data {
        var object = try #require(try JSONSerialization.jsonObject(with: json) as? Object)
        change(&object)
        return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }

    private init(_ message: String, _ change: @escaping (inout Object) -> Void) {
        self.message = message
        self.change = change
    }

    /// The same change of what only a store keeps: in lines it is skipped.
    private var ofStoresOnly: SchemaMutation {
        var copy = self
        copy.codeInLines = nil
        return copy
    }

    /// A change of the first item type, which is `Everything`.
    private static func entity(
        _ message: String, _ change: @escaping (inout Object) -> Void
    ) -> SchemaMutation {
        SchemaMutation(message) { Self.change(&$0, "entities", at: 0, change) }
    }

    private static func attribute(
        _ position: Int, _ message: String, _ key: String, _ value: Any
    ) -> SchemaMutation {
        entity(message) { Self.change(&$0, "attributes", at: position) { $0[key] = value } }
    }

    private static func indexes(_ message: String, _ lists: [[String]]) -> SchemaMutation {
        entity(message) { $0["indexes"] = lists.map { ["attributes": $0, "isUnique": false] as Object } }
    }

    private static func digests(_ message: String, _ counts: [(String, Int)]) -> SchemaMutation {
        SchemaMutation(message) { object in
            let digests = counts.map { name, count -> Object in
                ["entity": name, "count": count, "digest": String(repeating: "0", count: 32)]
            }
            object["transfer"] =
                [
                    "source": ["engine": "SQLite"] as Object, "isComplete": true, "digests": digests,
                ] as Object
        }
    }

    private static func change(
        _ object: inout Object, _ key: String, at position: Int, _ body: (inout Object) -> Void
    ) {
        guard var list = object[key] as? [Object], list.indices.contains(position) else { return }
        body(&list[position])
        object[key] = list
    }

    private static func list(_ object: Object, _ key: String) -> [Object] { object[key] as? [Object] ?? [] }
}

extension SchemaMutation {
    static let all: [SchemaMutation] =
        itemTypes + attributes + identifiers + indexes + relationships + wrongLists + ofStores

    /// Lines have no numbers, stored names and places of links, and know nothing of an earlier transfer.
    private static let ofStores: [SchemaMutation] =
        (storedNames + linkPlaces + numbers + wrongGenerations + transfers).map(\.ofStoresOnly)

    private static let itemTypes: [SchemaMutation] = [
        entity("Everything has no attributes") { $0["attributes"] = [Any]() },
        entity("Everything has more than 1000 attributes") { entity in
            let many = (0..<1001).map { number -> Object in
                ["name": "a\(number)", "storageName": "a\(number)", "type": "bool", "isOptional": true]
            }
            entity["attributes"] = list(entity, "attributes") + many
        },
        entity("the name of an item type is empty") { $0["name"] = "" },
        entity("the name of an item type holds a NUL") { $0["name"] = "a\u{0}b" },
        entity("the name of an item type has 101 bytes") { $0["name"] = String(repeating: "n", count: 101) },
        SchemaMutation("two item types are called \"Everything\"") { object in
            change(&object, "entities", at: 1) { $0["name"] = "Everything" }
        },
    ]

    private static let storedNames: [SchemaMutation] = [
        entity("Everything has a stored name that is empty") { $0["storageName"] = "" },
        SchemaMutation("two item types are stored as \"EVERYTHING\"") { object in
            change(&object, "entities", at: 1) { $0["storageName"] = "EVERYTHING" }
        },
        attribute(2, "Everything has two attributes that are stored as \"BOOL\"", "storageName", "BOOL"),
    ]

    private static let attributes: [SchemaMutation] = [
        attribute(2, "Everything has an attribute whose name is empty", "name", ""),
        attribute(
            2, "Everything has an attribute whose name has 201 bytes", "name",
            String(repeating: "n", count: 201)),
        attribute(2, "Everything has two attributes called \"bool\"", "name", "bool"),
        attribute(2, "cannot be read", "type", "int7"),
        attribute(2, "cannot be read", "isOptional", "yes"),
    ]

    private static let identifiers: [SchemaMutation] = [
        attribute(0, "Everything begins with the attribute \"key\" and not with \"id\"", "name", "key"),
        attribute(0, "Everything has an optional identifier", "isOptional", true),
        attribute(0, "Everything has an identifier of the type double", "type", "double"),
        attribute(0, "Everything has an identifier of the type data", "type", "data"),
        entity("Everything begins with the attribute") { entity in
            entity["attributes"] = Array(list(entity, "attributes").reversed())
        },
    ]

    private static let relationships: [SchemaMutation] = [
        relationship("Everything.gone is not an attribute that can refer to", "gone", "toOne"),
        relationship("Everything.bool is not an attribute that can refer to", "bool", "toOne"),
        relationship("Everything has two properties called \"bool\"", "bool", "toMany"),
        relationship("a relationship of Everything has a name that is empty", "", "toMany"),
        relationship(
            "Everything.marks refers to Gone, which is not one of its item types", "marks", "toMany",
            target: "Gone"),
        relationship(
            "Everything.marks shows the Everything whose ToOne refers to it, and does not name that ToOne",
            "marks", "toOneInverse"),
        relationship(
            "Everything.marks names an inverse that Everything does not have", "marks", "toMany",
            inverse: "gone"),
        relationship("cannot be read", "marks", "toNone"),
        relationship("cannot be read", "marks", "toMany", rule: "forget"),
        entity("cannot be read") { $0["isLink"] = "yes" },
    ]

    private static let linkPlaces = [
        relationship("there is no place for the links of Everything.marks", "marks", "toMany")
    ]

    private static func relationship(
        _ message: String, _ name: String, _ kind: String, target: String = "Everything",
        inverse: String? = nil, rule: String = "nullify"
    ) -> SchemaMutation {
        entity(message) { entity in
            var relationship: Object = ["name": name, "kind": kind, "target": target, "deleteRule": rule]
            relationship["inverse"] = inverse
            entity["relationships"] = [relationship]
        }
    }

    private static let indexes: [SchemaMutation] = [
        indexes("Everything has an index on nothing", [[]]),
        indexes(
            "Everything has an index on \"gone\", which is not one of its attributes", [["bool", "gone"]]),
        indexes("Everything has an index on \"data\", whose type is data", [["data"]]),
        indexes("Everything has two indexes on bool, int8", [["bool", "int8"], ["bool", "int8"]]),
    ]

    private static let numbers: [SchemaMutation] =
        impossibleNumbers + [
            SchemaMutation("two item types have the number 1") { object in
                change(&object, "entities", at: 1) { $0["number"] = 1 }
            },
            SchemaMutation("has the number 2, and the next one is 2") { $0["nextEntityNumber"] = 2 },
            SchemaMutation("its generation is -1") { $0["generation"] = -1 },
            SchemaMutation("its generation is \(Int.max)") { $0["generation"] = Int.max },
            SchemaMutation("The store has generation 1, but its schema has 7.") { $0["generation"] = 7 },
        ]

    private static let impossibleNumbers: [SchemaMutation] = [0, -1, 1 << 31, .max, .min].flatMap {
        (number: Int) -> [SchemaMutation] in
        [
            entity("Everything has the number \(number), and the next one is") { $0["number"] = number },
            SchemaMutation("its next number for an item type is \(number)") { object in
                object["nextEntityNumber"] = number
            },
        ]
    }

    private static let transfers: [SchemaMutation] = [
        digests("it counts copied items of a type whose name is empty", [("", 1)]),
        digests("it counts -1 copied items of Everything", [("Everything", -1)]),
        digests("it counts the copied items of Everything twice", [("Everything", 1), ("Everything", 1)]),
    ]

    private static let wrongGenerations: [SchemaMutation] =
        ([[Any](), Object(), NSNull(), "text", 1.5] as [Any]).map { (value: Any) -> SchemaMutation in
            SchemaMutation("The schema kept in the store cannot be read") { $0["generation"] = value }
        }

    private static let wrongLists: [SchemaMutation] =
        ([Object(), NSNull(), "text", 7] as [Any]).flatMap { (value: Any) -> [SchemaMutation] in
            [
                SchemaMutation("The schema kept in the store cannot be read") { $0["entities"] = value },
                entity("The schema kept in the store cannot be read") { $0["attributes"] = value },
                entity("The schema kept in the store cannot be read") { $0["indexes"] = value },
            ]
        }
}

/// A change of any value in JSON, at random.
enum RandomJSON {
    /// Takes a value out, puts another in its place, or repeats or swaps those of a list.
    static func mutated(_ value: Any, _ random: inout Seed) -> Any {
        let isHere = Int.random(in: 0..<6, using: &random) == 0
        switch value {
        case let object as [String: Any] where !object.isEmpty && !isHere:
            var object = object
            let key = object.keys.sorted()[Int.random(in: 0..<object.count, using: &random)]
            if Int.random(in: 0..<12, using: &random) == 0 {
                object[key] = nil
            } else if let value = object[key] {
                object[key] = mutated(value, &random)
            }
            return object
        case let list as [Any] where !list.isEmpty && !isHere:
            var list = list
            let position = Int.random(in: 0..<list.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: list.remove(at: position)
            case 1: list.append(list[position])
            case 2: list.swapAt(position, Int.random(in: 0..<list.count, using: &random))
            default: list[position] = mutated(list[position], &random)
            }
            return list
        default: return other(&random)
        }
    }

    private static func other(_ random: inout Seed) -> Any {
        let values: [Any] = [
            NSNull(), -1, 0, 1, 2, 3, 5, 1 << 31, Int.max, Int.min, 1.5, true, false, "", "id", "bool",
            "label",
            "rank", "Everything", "string", "int64", "uuid", "json", "uint64",
            String(repeating: "n", count: 300),
            [Any](), [String: Any](), ["rank"], ["label", "rank"],
        ]
        return values[Int.random(in: 0..<values.count, using: &random)]
    }
}
