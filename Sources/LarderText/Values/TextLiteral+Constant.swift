import struct Foundation.URL
import struct Foundation.UUID
package import LarderKernel

extension TextLiteral {
    /// The value as attributes of a type store it, or nil if it does not fit the type.
    ///
    /// - Throws: `.invalidValue` for what no attribute can store.
    func constant(of type: AttributeType) throws(DataStoreError) -> Constant? {
        switch (self, type) {
        case (.null, _): .null
        case (.notANumber, _): throw .notANumber
        case (.bool(let value), .bool): try Constant(encoding: value)
        case (.number(let number), _): try number.constant(of: type)
        case (.infinity(let isNegative), .double), (.infinity(let isNegative), .float),
            (.infinity(let isNegative), .date):
            try Constant(encoding: isNegative ? -Double.infinity : Double.infinity)
        case (.text(let text), _): try Self.constant(of: type, in: text)
        case (.data(let bytes), .data): .blob(bytes)
        // The texts of equal values may differ.
        case (.value, .json): nil
        case (.value(let constant, let own), _):
            own == type || own == .url && type == .string || own == .itemID && type == .int64 ? constant : nil
        case (.bool, _), (.infinity, _), (.data, _): nil
        }
    }

    private static func constant(
        of type: AttributeType, in text: String
    ) throws(DataStoreError) -> Constant? {
        switch type {
        case .string: return .text(text)
        case .date: return DateText.seconds(text).map { .real($0) }
        case .itemID: return ItemIDText.value(of: text).map { .integer($0) }
        case .uuid:
            guard let value = UUID(uuidString: text) else { return nil }
            return try Constant(encoding: value)
        case .url:
            guard let value = URL(string: text) else { return nil }
            return try Constant(encoding: value)
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .data,
            .decimal, .json:
            return nil
        }
    }
}

extension NumberText {
    /// The number as attributes of a type store it, or nil if it does not fit the type.
    fileprivate func constant(of type: AttributeType) throws(DataStoreError) -> Constant? {
        switch type {
        case .bool: return exactly(UInt8.self).flatMap { $0 <= 1 ? .integer(Int64($0)) : nil }
        case .int8: return integer(Int8.self)
        case .int16: return integer(Int16.self)
        case .int32: return integer(Int32.self)
        case .int64, .itemID: return integer(Int64.self)
        case .uint8: return integer(UInt8.self)
        case .uint16: return integer(UInt16.self)
        case .uint32: return integer(UInt32.self)
        case .uint64: return exactly(UInt64.self).map { .unsigned($0) }
        case .double, .date: return try nearest(Double.self).map(Constant.init(encoding:))
        case .float: return try nearest(Float.self).map(Constant.init(encoding:))
        case .decimal: return decimal.map { .decimal($0) }
        case .string, .data, .uuid, .url, .json: return nil
        }
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Constant? {
        exactly(type).map { .integer(Int64(truncatingIfNeeded: $0)) }
    }
}

extension AttributeType {
    /// The way to write values of the type, for advice.
    package var textForm: String {
        switch self {
        case .bool: "true or false"
        case .int8: "a whole number from \(Int8.min) to \(Int8.max)"
        case .int16: "a whole number from \(Int16.min) to \(Int16.max)"
        case .int32: "a whole number from \(Int32.min) to \(Int32.max)"
        case .int64: "a whole number from \(Int64.min) to \(Int64.max)"
        case .uint8: "a whole number from 0 to \(UInt8.max)"
        case .uint16: "a whole number from 0 to \(UInt16.max)"
        case .uint32: "a whole number from 0 to \(UInt32.max)"
        case .uint64: "a whole number from 0 to \(UInt64.max)"
        case .float, .double: "a number, such as 4.5"
        case .decimal: "a number of at most 38 digits, such as 4.50"
        case .string: "text in quotes, such as \"cake\""
        case .data: "bytes as pairs of hexadecimal digits, such as x'00ff'"
        case .date: "a date in quotes, such as \"2024-05-01T10:00:00Z\", or seconds since 2001"
        case .uuid: "a UUID in quotes, such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
        case .url: "a URL in quotes, such as \"https://example.com\""
        case .itemID: "the 13 characters of the identifier in quotes, or its number"
        case .json: "nil, as JSON cannot be compared with anything else"
        }
    }
}
