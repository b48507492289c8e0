public import LarderKernel

/// One reason why an item may not be stored or deleted.
///
///     for finding in error.findings { print(finding.attribute ?? "", finding.message) }
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct ItemFinding: Sendable, Hashable {
    /// The stored name of the item's type.
    public let itemType: String
    public let identifier: AnyItemID
    /// The attribute or relationship concerned; nil for the item as a whole.
    public let attribute: String?
    /// The app's message.
    public let message: String
}

extension ItemFinding: CustomStringConvertible {
    public var description: String {
        "\(itemType) \(identifier)\(attribute.map { ", \($0)" } ?? ""): \(message)"
    }
}

/// The findings about one item, which the app's checks add to.
///
///     let hooks = ItemHooks(Person.self).validating { person, findings in
///         if person.age < 0 { findings.add("is negative", at: \.age) }
///     }
///
/// *Rule:* used during the call it is passed to.
public struct ItemFindings<Item: DataStoreItem>: Sendable {
    private(set) var all: [ItemFinding] = []
    private let identifier: AnyItemID

    init(about identifier: AnyItemID) {
        self.identifier = identifier
    }

    /// Adds a reason that concerns the item as a whole.
    public mutating func add(_ message: String) {
        add(message, named: nil)
    }

    /// Adds a reason that concerns one attribute.
    public mutating func add<Value>(_ message: String, at attribute: AttributePath<Item, Value>) {
        add(message, named: Item.schema.attributes[Item.attributes[keyPath: attribute].column].propertyName)
    }

    mutating func add(_ message: String, named attribute: String?) {
        all.append(
            ItemFinding(
                itemType: Item.schema.name, identifier: identifier, attribute: attribute, message: message))
    }
}

extension DataStoreError.Code {
    /// A block would store or delete items that the hooks of their types refuse.
    public static let invalidItems = Self(rawValue: "invalidItems")
}

extension DataStoreError {
    /// All reasons why the items of a block may not be stored, for `.invalidItems`; else empty.
    public var findings: [ItemFinding] { list as? [ItemFinding] ?? [] }

    /// The error for a block with findings, of which there is at least one.
    static func invalidItems(_ findings: [ItemFinding]) -> DataStoreError {
        let shown = findings.prefix(3).map(\.description).joined(separator: "; ")
        let more = findings.count > 3 ? "; and \(findings.count - 3) more" : ""
        return DataStoreError(
            .invalidItems, "The block would store items that their hooks refuse: \(shown)\(more).",
            advice: "Correct the items that error.findings names, and repeat the block.",
            itemType: findings.first?.itemType, attribute: findings.first?.attribute,
            identifier: findings.first?.identifier
        ).listing(findings)
    }
}
