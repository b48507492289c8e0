import Foundation
public import LarderKernel
import LarderText

/// One stored item without its type: a value for each attribute, by name.
///
///     row["rating"]                  // .real(4.5)
///     row.text(forKey: "id")         // "01HZX8K2M0Q4T"
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct UntypedRow: Sendable {
    /// The item type, as the store describes it.
    public let schema: EntitySchema
    /// One value for each attribute, in their order, exactly as stored.
    public let values: [Constant]

    init(cells: UnsafePointer<Cell>, of schema: EntitySchema) {
        self.schema = schema
        values = schema.declaredAttributes.enumerated().map { column, attribute in
            Constant(cells[column], storage: attribute.type.storage)
        }
    }

    /// The identifier, or nil if the stored value is not one.
    public var identifier: AnyItemID? {
        values[0].withCell { AnyItemID($0, type: schema.attributes[0].type) }
    }

    /// The stored value of an attribute; nil when the item type has none of this name.
    public subscript(_ name: String) -> Constant? {
        schema.column(named: name).map { values[$0] }
    }

    /// The value of an attribute in the standard type for it; nil when it is nil, or cannot be decoded.
    ///
    /// Values that are stored as JSON are the JSON text, integers of any width are `Int64` (`UInt64` for
    /// `UInt64`).
    public func value(forKey name: String) -> (any AttributeStorable)? {
        guard let column = schema.column(named: name) else { return nil }
        return values[column].withCell { $0.value(of: schema.attributes[column].type) }
    }

    /// The value of an attribute for people to read: text unchanged, dates by ISO 8601, bytes in hexadecimal;
    /// nil when it is nil.
    public func text(forKey name: String) -> String? {
        guard let column = schema.column(named: name) else { return nil }
        return values[column].plainText(of: schema.attributes[column].type)
    }
}

extension Constant {
    /// The value for people to read, without quotes; nil for nil.
    ///
    ///     Constant.real(0).plainText(of: .date)          // 2001-01-01T00:00:00Z
    public func plainText(of type: AttributeType) -> String? {
        switch (self, type) {
        case (.null, _): nil
        case (.text(let text), _): text
        case (.integer(let value), .itemID): ItemIDText.text(of: value)
        case (.real(let value), .date): DateText.text(value) ?? String(value)
        case (.blob(let bytes), .uuid): withCell(UUID.decode)?.uuidString ?? bytes.hexadecimal
        case (.blob(let bytes), _): bytes.hexadecimal
        case (.integer, _), (.unsigned, _), (.real, _), (.decimal, _): text(of: type)
        }
    }
}

extension AnyItemID {
    /// The identifier that a person writes, for an ``ItemID`` also as a number; nil if it does not fit the type.
    init?(written text: String, type: AttributeType) {
        if let identifier = AnyItemID(text: text, type: type) {
            self = identifier
        } else if type == .itemID, let number = Int64(text) {
            self = .itemID(number)
        } else {
            return nil
        }
    }
}
