import LarderKernel

/// A stored property of an item type, found by a path to it.
enum ItemProperty {
    case attribute(column: Int)
    /// A relationship without a column.
    case relationship(number: Int)

    /// The property that a path into an item leads to; nil for any other path, such as one to a computed property.
    ///
    /// Swift provides the name of the stored property that a path leads to, and the item type's attributes
    /// provide the rest. For Swift, a property with observers or a wrapper is a computed one, without a name.
    init?<Item: DataStoreItem>(_ path: AnyKeyPath, of type: Item.Type) {
        guard let name = path.nameOfProperty(of: Item.self) else { return nil }
        for child in Mirror(reflecting: Item.attributes).children where child.label == name {
            guard let property = child.value as? any PropertyDescription, property.isDescription(of: path)
            else {
                continue
            }
            self = property.property
            return
        }
        return nil
    }
}

/// An ``Attribute`` or a ``RelationshipAttribute``.
private protocol PropertyDescription {
    var property: ItemProperty { get }

    /// True if it describes the property of a path: two properties without size may share a place.
    func isDescription(of path: AnyKeyPath) -> Bool
}

extension Attribute: PropertyDescription {
    fileprivate var property: ItemProperty { .attribute(column: column) }

    fileprivate func isDescription(of path: AnyKeyPath) -> Bool { type(of: path).valueType == Value.self }
}

extension RelationshipAttribute: PropertyDescription {
    fileprivate var property: ItemProperty { .relationship(number: relationshipNumber) }

    fileprivate func isDescription(of path: AnyKeyPath) -> Bool { type(of: path).valueType == Value.self }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension AnyKeyPath {
    /// The name that follows the root type; nil if there is none.
    var lastName: String? {
        let text = debugDescription
        guard text.first == "\\", let dot = text.lastIndex(of: "."), !text.hasSuffix(">") else { return nil }
        return String(text[text.index(after: dot)...])
    }
}

extension AnyKeyPath {
    fileprivate func nameOfProperty<Item>(of type: Item.Type) -> String? {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return nil }
        let prefix = "\\\(Item.self)."
        guard debugDescription.hasPrefix(prefix) else { return nil }
        return String(debugDescription.dropFirst(prefix.count))
    }
}
