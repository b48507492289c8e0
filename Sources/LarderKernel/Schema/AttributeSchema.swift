/// The description of one attribute for a store.
public struct AttributeSchema: Sendable {
    /// The longest name of an attribute, in bytes.
    package static let maximumNameBytes = 200

    /// The name in the store, for engines, files, other tools and earlier versions of the app.
    public let name: String
    /// The name of the Swift property, by which the app names the attribute: in filters as text, in
    /// ``DataStoreItem/value(forKey:)``, in changes and errors.
    public let propertyName: String
    public let type: AttributeType
    public let isOptional: Bool
    /// The name it had in earlier versions of the app.
    public let originalName: String?
    /// The value that items stored before the attribute existed get; nil if it has no default.
    public let defaultValue: @Sendable () throws(DataStoreError) -> Constant?
    /// The Swift type of its values; nil if that is not known.
    // Not as closures over it, which each copy of the attribute would retain.
    package private(set) var valueType: (any AttributeStorable.Type)?
    /// The type of the item that the attribute refers to; nil if it is not a ``ToOne``.
    var referencedType: (any DataStoreItem.Type)? { (valueType as? any ItemReference.Type)?.referencedType }
    /// The types of the items that the text may refer to, with a delete rule that is followed; nil for other attributes.
    var textReference: (any TextReference.Type)? {
        let reference = valueType as? any TextReference.Type
        return reference?.deleteRule == .noAction ? nil : reference
    }
    /// The reason why no store can keep the attribute; nil if all can.
    let problem: String?
    /// The text that it keeps folded, for an index; nil for an attribute of the app.
    public internal(set) var folded: FoldedColumn?
    /// The number of the Unicode tables by which a store says that it is folded; empty if it says nothing.
    package var foldingTables = ""

    /// An attribute without default.
    ///
    /// - Parameters:
    ///   - name: The name in the store.
    ///   - property: The name of the Swift property; nil if it is the same.
    public static func attribute<Value: AttributeStorable>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil
    ) -> AttributeSchema {
        AttributeSchema(name, property, type, originalName) { () throws(DataStoreError) in nil }
    }

    /// An attribute whose default fills in for items that were stored before it existed.
    public static func attribute<Value: AttributeStorable>(
        _ name: String, _ type: Value.Type, property: String? = nil, originalName: String? = nil,
        default defaultValue: @autoclosure @escaping @Sendable () -> Value
    ) -> AttributeSchema {
        AttributeSchema(name, property, type, originalName) { () throws(DataStoreError) in
            try Constant(encoding: defaultValue())
        }
    }

    private init<Value: AttributeStorable>(
        _ name: String, _ property: String?, _ type: Value.Type, _ originalName: String?,
        defaultValue: @escaping @Sendable () throws(DataStoreError) -> Constant?
    ) {
        self.name = name
        propertyName = property ?? name
        self.type = Value.attributeType
        isOptional = Value.isOptionalAttribute
        self.originalName = originalName
        self.defaultValue = defaultValue
        problem = nil
        valueType = Value.self
    }

    /// An attribute as a store describes it, whose Swift type the app need not have.
    init(_ stored: StoredSchema.Attribute) {
        name = stored.name
        propertyName = name
        type = stored.type
        isOptional = stored.isOptional
        originalName = nil
        defaultValue = { () throws(DataStoreError) in nil }
        problem = nil
    }

    /// An identifier of an item of some type, as links have them.
    init(link name: String, _ type: AttributeType) {
        self.init(
            StoredSchema.Attribute(name: name, storageName: name, type: type, isOptional: false))
    }

    /// An attribute of a type that is neither an ``AttributeValue`` nor a ``CodableAttribute``.
    init(unstorable name: String, _ type: Any.Type) {
        self.name = name
        propertyName = name
        self.type = .json
        isOptional = false
        originalName = nil
        defaultValue = { () throws(DataStoreError) in nil }
        problem = "the type \(type) of \"\(name)\" is neither an AttributeValue nor a CodableAttribute"
    }
}

extension AttributeStorable {
    /// True if two cells hold the same value of the type; for JSON they may differ in bytes all the same.
    static func isSame(_ left: Cell, _ right: Cell) -> Bool {
        guard let left = decode(left), let right = decode(right) else { return false }
        return left == right
    }
}

extension Cell {
    /// True if both are of the same kind and hold the same bits or bytes.
    package func hasSameBytes(as other: Cell) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .integer, .real: return bits == other.bits
        case .text, .blob: return bytes.isEqual(to: other.bytes)
        }
    }
}
