/// A text that refers to an item of one of several types: `Recipe:01HZX8K2M0Q4T`.
///
/// An attribute of such a type has a ``ReferenceGraph/Reference`` for each of the types. The rules then know it as they
/// know a ``ToOne``; only a value leads to an item through ``ReferenceGraph/Reference/item(_:in:)``.
package protocol TextReference: Sendable {
    /// The effect of an item's deletion on the items that refer to it; under `.noAction` no rule reads the texts.
    static var deleteRule: DeleteRule { get }
    /// The types, each with what precedes the identifier; no prefix begins with another one.
    // Asked once a store is made: the types may have attributes of this type themselves.
    static var targets: [(prefix: String, type: any DataStoreItem.Type)] { get }
}

extension Optional: TextReference where Wrapped: TextReference {
    package static var deleteRule: DeleteRule { Wrapped.deleteRule }
    package static var targets: [(prefix: String, type: any DataStoreItem.Type)] { Wrapped.targets }
}

extension ReferenceGraph.Reference {
    /// True for a column of texts, which may refer to items of other types too.
    package var isText: Bool { prefix != nil }

    /// The item of the target that a value of the column refers to; nil if it refers to none, or to one of another type.
    package func item(_ cell: Cell, in schema: StoreSchema) -> Constant? {
        guard let prefix else {
            return cell.isNull ? nil : Constant(cell, storage: schema.entities[target].storage(ofColumn: 0))
        }
        let type = schema.entities[target].attributes[0].type
        guard cell.kind == .text, cell.bytes.starts(with: prefix.utf8) else { return nil }
        let text = String(decoding: cell.bytes.dropFirst(prefix.utf8.count), as: UTF8.self)
        return AnyItemID(text: text, type: type).map { Constant($0) }
    }

    /// The value of the column that refers to an item of the target.
    func value(of item: Constant, in schema: StoreSchema) -> Constant {
        guard let prefix else { return item }
        let type = schema.entities[target].attributes[0].type
        return .text(prefix + (item.withCell { AnyItemID($0, type: type) }?.description ?? ""))
    }

    /// The values of the column that refer to items of the target, which are distinct and in order; in their own order.
    func values(of items: [Constant], in schema: StoreSchema) -> [Constant] {
        prefix == nil ? items : items.map { value(of: $0, in: schema) }.sortedAndDistinct(.text)
    }
}
