import LarderKernel

/// A value that the app gives for a `%@` or `%K`.
struct TextArgument: Sendable {
    /// The value as if it were written; nil for a list.
    let literal: TextLiteral?
    /// The values of a list; nil for others.
    let list: [TextLiteral]?
    /// The error for a value that cannot be stored, which is thrown if it is asked for.
    let failure: DataStoreError?
    /// The value, if it is text.
    var text: String? {
        if case .text(let text)? = literal { text } else { nil }
    }

    init(_ value: (any AttributeStorable)?) {
        do throws(DataStoreError) {
            if let values = (value as? any Collection).flatMap(Self.elements) {
                var list: [TextLiteral] = []
                for value in values { list.append(try TextLiteral(value)) }
                (self.list, literal, failure) = (list, nil, nil)
            } else {
                (list, literal, failure) = (nil, try TextLiteral(value), nil)
            }
        } catch {
            (list, literal, failure) = (nil, nil, error)
        }
    }

    /// The values of an array or a set; nil for other collections, such as text and bytes.
    private static func elements(of values: any Collection) -> [(any AttributeStorable)?]? {
        let type = type(of: values as Any)
        guard let storable = type as? any AttributeStorable.Type, storable.attributeType == .json else {
            return nil
        }
        let elements = values.map { $0 as Any }
        let storables = elements.map { $0 as? any AttributeStorable }
        return storables.contains { $0 == nil } ? nil : storables
    }
}

extension TextLiteral {
    fileprivate init(_ value: (any AttributeStorable)?) throws(DataStoreError) {
        guard let value else {
            self = .null
            return
        }
        self = try Self.literal(value)
    }

    private static func literal(_ value: some AttributeStorable) throws(DataStoreError) -> TextLiteral {
        let type = type(of: value).attributeType
        let constant = try Constant(encoding: value)
        switch (constant, type) {
        case (.null, _): return .null
        case (.integer(let value), .bool): return .bool(value == 1)
        case (.integer, .itemID), (.real, .date), (.blob, .uuid), (.text, .url), (.text, .json):
            return .value(constant, type)
        case (.integer(let value), _): return number(String(value), constant, type)
        case (.unsigned(let value), _): return number(String(value), constant, type)
        case (.real(let value), _):
            if value.isInfinite { return .infinity(isNegative: value < 0) }
            return number(type == .float ? "\(Float(value))" : "\(value)", constant, type)
        case (.decimal(let text), _): return number(text, constant, type)
        case (.text(let text), _): return .text(text)
        case (.blob(let bytes), _): return .data(bytes)
        }
    }

    private static func number(
        _ text: String, _ constant: Constant, _ type: AttributeType
    ) -> TextLiteral {
        NumberText(text).map { .number($0) } ?? .value(constant, type)
    }
}
