/// One point in which a store and the app's item types do not fit each other, and what resolves it.
///
///     do {
///         try store.setup()
///     } catch let error as DataStoreError where error.code == .schemaMismatch {
///         for difference in error.differences { print(difference.message, difference.advice) }
///     }
public struct SchemaDifference: Sendable, Hashable {
    /// The kinds of differences that no lightweight change can resolve.
    public enum Kind: Sendable, Hashable {
        /// The identifier is stored under another type.
        case identifierType
        /// The attribute is stored under a type that does not widen to the declared one.
        case attributeType
        /// Items may be stored with nil, and the attribute is required.
        case storedAsOptional
        /// The attribute is new and required, and has no default.
        case missingDefault
        /// The relationship is stored in another form: as links to another type, without an order, at the other end.
        case relationshipType
        /// A stored item type that refers to a declared one is not declared itself.
        case undeclaredType
    }

    /// The kind of difference, to switch on.
    public let kind: Kind
    /// The stored name of the item type.
    public let itemType: String
    /// The name of the attribute in the app.
    public let attribute: String
    /// The difference, without a full stop.
    public let message: String
    /// The remedy, in one sentence.
    public let advice: String

    package init(kind: Kind, itemType: String, attribute: String, message: String, advice: String) {
        (self.kind, self.itemType, self.attribute) = (kind, itemType, attribute)
        (self.message, self.advice) = (message, advice)
    }
}
