import Foundation
public import LarderKernel
import LarderEngine

/// A value of a source without a Swift type: of JSON, of a CSV field, of a dictionary.
///
///     let record: ImportRecord = ["title": "Cake", "stars": 4.5, "tags": ["sweet", "round"]]
public indirect enum ImportValue: Sendable {
    case null
    case bool(Bool)
    /// A number as it was written, so that none loses digits.
    case number(String)
    case text(String)
    case list([ImportValue])
    case record(ImportRecord)
    /// A value of one of the types that attributes may have, such as `Date` or `Data`.
    case stored(any AttributeStorable)
}

extension ImportValue {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let digits): self = .number(digits)
        case .text(let text): self = .text(text)
        case .list(let list): self = .list(list.map(ImportValue.init))
        case .object(let members): self = .record(ImportRecord(members))
        }
    }

    /// A value of one of Foundation's dictionaries, such as `JSONSerialization` and property lists give.
    ///
    /// - Throws: `.wrongType` for a value of another kind.
    public init(_ value: Any) throws(DataStoreError) {
        switch value {
        case is NSNull: self = .null
        case let list as [Any]:
            var values: [ImportValue] = []
            for element in list { values.append(try ImportValue(element)) }
            self = .list(values)
        case let members as [String: Any]: self = .record(try ImportRecord(dictionary: members))
        case let stored as any AttributeStorable: self = Self.plain(stored)
        case let number as NSNumber:
            let isBool = UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c")
            self = isBool ? .bool(number.boolValue) : .number(number.stringValue)
        default:
            throw DataStoreError(
                .wrongType, "A value of the type \(type(of: value)) cannot be imported.",
                advice: "Give it as text, a number, a Boolean, a date, data, a list or a dictionary.")
        }
    }

    /// The value, by the case that any format gives for it if there is one.
    private static func plain(_ value: any AttributeStorable) -> ImportValue {
        switch value {
        case let text as String: .text(text)
        case let flag as Bool: .bool(flag)
        case let number as any FixedWidthInteger: .number("\(number)")
        case let number as Double: .number("\(number)")
        default: .stored(value)
        }
    }

    /// The value in words, for errors.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): String(digits.prefix(60))
        case .text(let text): "\"" + text.prefix(60) + (text.count > 60 ? "…\"" : "\"")
        case .list: "a list"
        case .record: "an object"
        case .stored(let value): "\(value)"
        }
    }

    /// The value as JSON.
    ///
    /// - Throws: `.wrongType` and `.invalidValue` for a value of a Swift type that has no JSON.
    func write(to writer: inout JSONWriter) throws(DataStoreError) {
        switch self {
        case .null: writer.append("null")
        case .bool(let value): writer.append(value ? "true" : "false")
        case .number(let digits): writer.append(digits)
        case .text(let text): writer.append(text: text)
        case .stored(let value): writer.append(json: try Self.json(of: value))
        case .list(let values):
            writer.append("[")
            for (position, value) in values.enumerated() {
                if position > 0 { writer.append(",") }
                try value.write(to: &writer)
            }
            writer.append("]")
        case .record(let record):
            writer.append("{")
            for (position, member) in record.members.enumerated() {
                if position > 0 { writer.append(",") }
                writer.append(text: member.key)
                writer.append(":")
                try member.value.write(to: &writer)
            }
            writer.append("}")
        }
    }

    /// The JSON that the value's Swift type is decoded from.
    private static func json(of value: any AttributeStorable) throws(DataStoreError) -> [UInt8] {
        guard let encodable = value as? any Encodable else {
            throw DataStoreError(
                .wrongType, "A value of the type \(type(of: value)) cannot be in a list or an object.",
                advice: "Make the type Codable, or give the value as text or a number.")
        }
        do {
            return Array(try CanonicalJSON().encode(encodable))
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.invalidValue, "The value \(value) cannot be encoded as JSON: \(error)")
        }
    }
}

extension ImportValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number("\(value)") }
    public init(floatLiteral value: Double) { self = .number("\(value)") }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(arrayLiteral values: ImportValue...) { self = .list(values) }

    public init(dictionaryLiteral members: (String, ImportValue)...) {
        self = .record(ImportRecord(Dictionary(members) { $1 }))
    }
}
