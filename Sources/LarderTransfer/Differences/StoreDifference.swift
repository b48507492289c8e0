public import LarderKernel

/// One thing in which two stores differ; prints as one line.
public enum StoreDifference: Sendable, Hashable {
    /// The item type is in the left store only.
    case entityOnlyLeft(String)
    /// The item type is in the right store only.
    case entityOnlyRight(String)
    /// The item types do not fit each other, or links whose relationship is not described differ; one sentence names
    /// the difference.
    case schema(entity: String, String)
    /// The item is in the left store only.
    case onlyLeft(entity: String, AnyItemID)
    /// The item is in the right store only.
    case onlyRight(entity: String, AnyItemID)
    /// The item is in both with different values.
    case changed(entity: String, AnyItemID, [AttributeDifference])
    /// A row cannot be decoded; one sentence gives the reason.
    case undecodable(entity: String, AnyItemID?, String)
}

/// An attribute or relationship of one item that has different values in two stores.
public struct AttributeDifference: Sendable, Hashable {
    public let name: String
    /// The value in the left store, for people to read; nil for nil.
    public let left: String?
    /// The value in the right store, for people to read; nil for nil.
    public let right: String?
}

extension StoreDifference: CustomStringConvertible {
    public var description: String {
        switch self {
        case .entityOnlyLeft(let entity): "\(entity) is in the left store only"
        case .entityOnlyRight(let entity): "\(entity) is in the right store only"
        case .schema(let entity, let sentence): "\(entity): \(sentence)"
        case .onlyLeft(let entity, let identifier): "\(entity) \(identifier) is in the left store only"
        case .onlyRight(let entity, let identifier): "\(entity) \(identifier) is in the right store only"
        case .changed(let entity, let identifier, let attributes):
            "\(entity) \(identifier) differs in \(attributes.map(\.description).joined(separator: ", "))"
        case .undecodable(let entity, let identifier, let sentence):
            "\(entity) \(identifier?.description ?? "?") cannot be decoded: \(sentence)"
        }
    }
}

extension AttributeDifference: CustomStringConvertible {
    public var description: String { "\(name): \(Self.text(left)) and \(Self.text(right))" }

    private static func text(_ value: String?) -> String {
        guard let value else { return "nil" }
        return value.count > 40 ? "\(value.prefix(40))…" : value
    }
}
