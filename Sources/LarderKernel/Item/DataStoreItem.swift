/// A value that can be stored: a struct with a final identifier and stored attributes.
///
/// `@StoredItem` adds the conformance to a struct. Without the macro:
///
///     struct Label: DataStoreItem {
///         let id: ItemID<Label>
///         var label: String
///
///         struct Attributes: Sendable {
///             let id = Attribute<Label, ItemID<Label>>(column: 0)
///             let label = Attribute<Label, String>(column: 1)
///         }
///         static let attributes = Attributes()
///         static let schema = EntitySchema(
///             "Label", attributes: [.attribute("id", ItemID<Label>.self), .attribute("label", String.self)])
///
///         func encode(to row: inout RowWriter) throws(DataStoreError) {
///             try row.set(id, at: 0)
///             try row.set(label, at: 1)
///         }
///     }
///
///     // An extension can call Swift's own memberwise initializer, which makes no copy of the item.
///     extension Label {
///         init(row: borrowing RowReader) throws(DataStoreError) {
///             try self.init(id: row.value(at: 0), label: row.value(at: 1))
///         }
///     }
///
/// *Rule:* the column numbers in `Attributes`, `schema`, `init(row:)` and `encode(to:)` must agree.
public protocol DataStoreItem: Identifiable, Sendable where ID: ItemIdentifier {
    /// One ``Attribute`` for each stored attribute, under its name.
    associatedtype Attributes: Sendable

    static var attributes: Attributes { get }

    /// The name, attributes and indexes under which items are stored.
    static var schema: EntitySchema { get }

    /// Reads an item from a row.
    ///
    /// - Throws: `.undecodable`, `.damaged`, as ``RowReader/value(at:as:)``.
    init(row: borrowing RowReader) throws(DataStoreError)

    /// Writes the item to a row.
    ///
    /// - Throws: `.invalidValue`, `.valueTooLarge`, as ``RowWriter/set(_:at:)``.
    func encode(to row: inout RowWriter) throws(DataStoreError)
}
