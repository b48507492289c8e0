import Larder
import LarderTransfer

extension OutputValue {
    /// A stored value in its readable form.
    ///
    /// Dates are ISO 8601, exact to the last bit; infinite ones are `inf` and `-inf`.
    init(_ value: Constant, of type: AttributeType) {
        switch (value, type) {
        case (.null, _): self = .null
        case (.integer(let value), .bool) where value == 0 || value == 1: self = .bool(value == 1)
        case (.integer(let number), .itemID): self = .text(value.plainText(of: type) ?? String(number))
        case (.integer(let value), _): self = .integer(value)
        case (.unsigned(let value), _): self = .unsigned(value)
        case (.real(let seconds), .date): self = .text(value.plainText(of: type) ?? String(seconds))
        // The shortest text of the Float denotes another Double.
        case (.real(let value), .float): self = .real(Double(String(Float(value))) ?? value)
        case (.real(let value), _): self = .real(value)
        case (.decimal(let text), _): self = .decimal(text)
        case (.text(let text), .json): self = .json(text)
        case (.text(let text), _): self = .text(text)
        case (.blob(let bytes), .uuid): self = value.plainText(of: type).map { .text($0) } ?? .bytes(bytes)
        case (.blob(let bytes), _): self = .bytes(bytes)
        }
    }
}

extension UntypedRow {
    /// The values of some columns.
    func outputValues(_ columns: some Sequence<Int>) -> [OutputValue] {
        columns.map { OutputValue(values[$0], of: schema.attributes[$0].type) }
    }
}
