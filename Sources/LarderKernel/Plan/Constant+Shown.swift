import struct Foundation.Date
import struct Foundation.UUID

extension Constant {
    /// The value for an error message, as an app knows it: identifiers and dates in their own text, and long
    /// text cut.
    package func shown(as type: AttributeType) -> String {
        switch (self, type) {
        case (.integer(let number), .itemID): ItemIDText.text(of: number)
        case (.integer(let number), .bool): number == 0 ? "false" : "true"
        case (.real(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds).description
        case (.blob, .uuid): withCell { UUID.decode($0)?.uuidString } ?? description
        case (.text(let text), _) where text.count > 40: (text.prefix(40) + "…").debugDescription
        case (.null, _), (.integer, _), (.unsigned, _), (.real, _), (.text, _), (.blob, _), (.decimal, _):
            description
        }
    }
}
