/// A row before and after a change.
package struct RowChange: Sendable {
    /// Nil if it was not there.
    package let old: RowValues?
    /// Nil if it is not there any more.
    package let new: RowValues?
    /// The columns that differ, if it was there and still is.
    package let columns: ColumnSet

    package init(old: RowValues?, new: RowValues?, columns: ColumnSet) {
        self.old = old
        self.new = new
        self.columns = columns
    }

    /// The names of the attributes that differ.
    package var attributes: Set<String> {
        guard let schema = new?.schema else { return [] }
        return Set(columns.map { schema.attributes[$0].propertyName })
    }

    /// The attributes that differ, in the order of their declaration.
    package var attributeChanges: [AttributeChange] {
        guard let old, let new else { return [] }
        return columns.map { column in
            let attribute = new.schema.attributes[column]
            return AttributeChange(
                attribute: attribute.propertyName, type: attribute.type, old: old.value(at: column),
                new: new.value(at: column))
        }
    }
}

/// One attribute that has another value: its name, and both values in the standard types of
/// ``DataStoreItem/value(forKey:)``.
///
///     for change in change.attributeChanges { print(change) }      // rating 2.0 -> 3.0
public struct AttributeChange: Sendable {
    public let attribute: String
    let type: AttributeType
    public let old: (any AttributeStorable)?
    public let new: (any AttributeStorable)?
}

extension AttributeChange: CustomStringConvertible {
    public var description: String { "\(attribute) \(text(of: old)) -> \(text(of: new))" }

    private func text(of value: (any AttributeStorable)?) -> String {
        switch value {
        case nil: "nil"
        case let number as Int64 where type == .itemID: ItemIDText.text(of: number)
        case let text as String: text.debugDescription
        case let value?: "\(value)"
        }
    }
}
