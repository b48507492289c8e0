public import LarderKernel

/// A reference to one item of any member of an ``ItemUnion``, as an attribute.
///
///     let bookmark = Bookmark(subject: ToAny(recipe))     // @Indexed var subject: ToAny<Medium>
///     let medium = try accessor.item(bookmark.subject)
///     let bookmarks = try accessor.items(for: Bookmark.where(\.subject == ToAny(recipe)))
///
/// It is stored as text, the name of the type and the identifier: `Recipe:01HZX8K2M0Q4T`. So every engine and tool has it as
/// a text, filters compare it, and an index of the attribute leads from an item to what refers to it.
///
/// *Rule:* a value; may be kept and sent anywhere. If a member is renamed by `@StoredItem(originalName:)`, the union keeps the
/// earlier name, `.type(Dish.self, named: "Recipe", Medium.dish)`: the texts that are stored do not change, and with
/// another name each of them is `.undecodable`. The type is a member of the union, or writing it throws
/// `.invalidValue`. ``ItemUnion/deleteRule`` says what the deletion of the item does to what refers to it. Under
/// ``LarderKernel/DeleteRule/noAction``, the default, no rule checks that the item exists, and the reference stays and leads
/// to no item. Under the other rules, the store refuses a reference to an item that it does not hold, and keeps an index on
/// each attribute of the type.
public struct ToAny<Union: ItemUnion>: Sendable {
    /// The name of the item's type, as the union's ``UnionMember`` has it.
    public let typeName: String
    public let identifier: AnyItemID

    init(typeName: String, identifier: AnyItemID) {
        self.typeName = typeName
        self.identifier = identifier
    }

    /// The reference to an item.
    public init<Item: DataStoreItem>(_ item: Item) {
        self.init(id: item.id, of: Item.self)
    }

    /// The reference to the item with this identifier.
    ///
    ///     let reference = ToAny<Medium>(id: recipe.id, of: Recipe.self)
    public init<Item: DataStoreItem>(id: Item.ID, of type: Item.Type) {
        self.init(
            typeName: Union.member(of: type)?.type.name ?? Item.schema.name, identifier: id.anyItemID)
    }

    /// The identifier, if the item is of a type; nil if it is of another one.
    ///
    ///     if let id = bookmark.subject.id(of: Recipe.self) { print(id) }
    public func id<Item: DataStoreItem>(of type: Item.Type) -> Item.ID? {
        guard Union.member(of: type)?.type.isNamed(typeName) ?? false else { return nil }
        return Item.ID(identifier)
    }

    /// The member that it leads to; nil for a type that is not a member.
    var member: (any MemberType<Union>)? {
        Union.members.first { $0.type.isNamed(typeName) }?.type
    }
}

extension ToAny: Hashable {}

extension ToAny: LosslessStringConvertible {
    /// The stored form.
    ///
    /// A colon and a percent sign in the name of the type are written as `%3A` and `%25`.
    public var description: String { Self.prefix(of: typeName) + identifier.description }

    /// The reference with this stored form; nil if the type is not a member, or its identifiers are of another kind.
    public init?(_ description: String) {
        for member in Union.members.map(\.type) {
            let prefix = Self.prefix(of: member.name)
            guard description.utf8.starts(with: prefix.utf8) else { continue }
            let text = String(description.utf8.dropFirst(prefix.utf8.count)) ?? ""
            guard !text.isEmpty,
                let identifier = AnyItemID(text: text, type: member.schema.attributes[0].type)
            else { return nil }
            self.init(typeName: member.name, identifier: identifier)
            // One text for each item, as filters compare texts: no UUID in lowercase, no "+7".
            if !self.description.utf8.elementsEqual(description.utf8) { return nil }
            return
        }
        return nil
    }

    /// The beginning of all references to items of a type.
    static func prefix(of name: String) -> String {
        var prefix = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "%": prefix += "%25"
            case ":": prefix += "%3A"
            default: prefix.unicodeScalars.append(scalar)
            }
        }
        return prefix + ":"
    }
}

extension ToAny: AttributeValue {
    public static var attributeType: AttributeType { .string }

    public static func decode(_ cell: Cell) -> ToAny? {
        cell.kind == .text ? ToAny(cell.string) : nil
    }

    /// - Throws: `.invalidValue` for an item of a type that is not a member of the union.
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        guard member != nil else {
            throw DataStoreError(
                .invalidValue,
                "A reference leads to an item of \(typeName), which is not a member of \(Union.self).",
                advice: "Name the type in the members of \(Union.self).")
        }
        return try description.encode(in: arena)
    }
}

extension ToAny: TextReference {
    package static var deleteRule: DeleteRule { Union.deleteRule }

    package static var targets: [(prefix: String, type: any DataStoreItem.Type)] {
        Union.members.map { (prefix(of: $0.type.name), $0.type.itemType) }
    }
}

extension ToAny: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let reference = ToAny(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(text) is not a reference to an item of \(Union.self)")
        }
        self = reference
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
