public import LarderKernel

/// The value of an attribute in a ``SchemaStep``, with the type under which it is stored.
///
///     recipe["title"] = try old["name"]
///     recipe["uuid"] = .value(UUID())
///     recipe["note"] = nil
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct StoredValue: Sendable, ExpressibleByNilLiteral {
    /// The value, or the error of one that cannot be stored; assigning it throws the error.
    package let constant: Result<Constant, DataStoreError>
    /// The type under which it is stored; nil for nil.
    public let type: AttributeType?
    /// True if it was read from a row of the old version, so that a reference of this value is one to an old row.
    let isOld: Bool

    package init(_ constant: Constant, type: AttributeType?, isOld: Bool = false) {
        self.constant = .success(constant)
        self.type = constant.isNull ? nil : type
        self.isOld = isOld
    }

    private init(failure: DataStoreError, type: AttributeType) {
        constant = .failure(failure)
        self.type = type
        isOld = false
    }

    public init(nilLiteral: ()) {
        self.init(.null, type: nil)
    }

    /// A value of the app.
    ///
    /// One that cannot be stored, such as NaN, is refused when it is assigned.
    public static func value<Value: AttributeStorable>(_ value: Value) -> StoredValue {
        do throws(DataStoreError) {
            return StoredValue(try Constant(encoding: value), type: Value.attributeType)
        } catch {
            return StoredValue(failure: error, type: Value.attributeType)
        }
    }

    /// An identifier, for a reference.
    public static func identifier(_ identifier: AnyItemID) -> StoredValue {
        switch identifier {
        case .itemID(let value): StoredValue(.integer(value), type: .itemID)
        case .integer(let value): StoredValue(.integer(value), type: .int64)
        case .uuid(let value): .value(value)
        case .string(let value): .value(value)
        }
    }

    /// True for nil.
    public var isNil: Bool { type == nil }

    /// The value as a type of the app; nil if it is nil, or is stored as another type.
    public func decoded<Value: AttributeStorable>(as type: Value.Type = Value.self) -> Value? {
        guard let stored = self.type, stored.isReadable(as: Value.attributeType),
            case .success(let constant) = constant
        else { return nil }
        return constant.withCell(Value.decode)
    }
}

extension StoredValue: CustomStringConvertible {
    public var description: String {
        switch constant {
        case .success(let constant): constant.description
        case .failure(let error): error.description
        }
    }
}

extension AttributeType {
    /// True if values of this type can be read as another type, judged by the types alone.
    ///
    /// Integers of any width, and identifiers among them, are read as any other if they fit.
    func isReadable(as other: AttributeType) -> Bool {
        storage == other.storage || widens(to: other)
    }
}
