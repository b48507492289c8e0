import Larder

/// A kind of identifier that specimens are kept under.
protocol SpecimenID: ItemIdentifier, ModelValue {
    /// The identifier as what the model finds items by.
    var modelKey: ModelKey { get }

    /// The identifier of this number; different numbers give different identifiers.
    static func numbered(_ number: Int) -> Self

    /// Made once for each kind, as a generic type keeps nothing.
    static var specimenSchema: EntitySchema { get }
}

/// What the model finds items by: the number, or the bytes.
enum ModelKey: Hashable, Sendable {
    case number(Int64)
    case bytes([UInt8])
}

extension ModelKey: CustomStringConvertible {
    var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
        }
    }
}

extension Int64: SpecimenID {
    static let specimenSchema = Specimen<Int64>.makeSchema()

    var modelKey: ModelKey { .number(self) }

    static func numbered(_ number: Int) -> Int64 {
        switch number {
        case 0: .min
        case 1: .max
        default: Int64(number % 2 == 0 ? number : -number) * 3
        }
    }
}

extension String: SpecimenID {
    static let specimenSchema = Specimen<String>.makeSchema()

    var modelKey: ModelKey { .bytes(Array(utf8)) }

    /// Among them pairs that are equal to Swift and differ in their bytes.
    static func numbered(_ number: Int) -> String {
        switch number % 10 {
        case 0: "caf\u{E9} \(number)"
        case 1: "cafe\u{301} \(number - 1)"
        case 2: "\(number)"
        case 3: String(repeating: "long", count: 48) + "\(number)"
        default: "item \(number)"
        }
    }
}
