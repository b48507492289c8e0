public import Foundation
public import LarderKernel

/// A link to an item, as a URL that other apps, notifications and files can keep: `larder://pantry/Recipe/01HZX8K2M0Q4T`.
///
///     let link = try store.link(to: recipe)
///     print(link.url)
///     let found = try store.read { try $0.item(try ItemLink(link.url), of: Recipe.self) }
///
/// It has the name of the store (``DataStoreOptions/name``), the stored name of the item type and the identifier as text,
/// each percent-encoded. The links of a store without a name have an empty one: `larder:///Recipe/01HZX8K2M0Q4T`. A
/// child store has the links of its parent.
///
/// *Rule:* a value; it says nothing about whether the item exists. Names of stores are compared without case, as hosts
/// of URLs are.
public struct ItemLink: Sendable {
    /// The link as a URL.
    public let url: URL
    /// The name of the store; nil for a store without one.
    public let storeName: String?
    /// The stored name of the item type.
    public let itemType: String
    /// The identifier as text.
    public let identifier: String

    /// The link that a URL is.
    ///
    /// - Throws: `.invalidLink` for any other URL.
    public init(_ url: URL) throws(DataStoreError) {
        let text = url.absoluteString
        let parts = text.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding }
        guard text.lowercased().hasPrefix(Self.prefix), parts.count == 3, let name = parts[0],
            let itemType = parts[1], let identifier = parts[2], !itemType.isEmpty, !identifier.isEmpty
        else { throw .invalidLink("\(text) is not a link to an item.") }
        self.url = url
        storeName = name.isEmpty ? nil : name
        self.itemType = itemType
        self.identifier = identifier
    }

    init(store: String?, itemType: String, _ identifier: AnyItemID) throws(DataStoreError) {
        let parts = [store ?? "", itemType, identifier.description].map {
            $0.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
        }
        let text = Self.prefix + parts.joined(separator: "/")
        guard let url = URL(string: text) else { throw .invalidLink("\(text) is not a URL.") }
        try self.init(url)
    }

    private static let prefix = "larder://"

    /// The characters that no part of a URL needs encoded.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

extension ItemLink: Hashable, CustomStringConvertible {
    public static func == (left: ItemLink, right: ItemLink) -> Bool { left.url == right.url }

    public func hash(into hasher: inout Hasher) { hasher.combine(url) }

    public var description: String { url.absoluteString }
}

extension DataStoreError.Code {
    /// A URL is not a link to an item, or one to an item of another store.
    public static let invalidLink = Self(rawValue: "invalidLink")
}

extension DataStoreError {
    fileprivate static func invalidLink(_ message: String) -> DataStoreError {
        DataStoreError(.invalidLink, message, advice: "Use a link that link(to:) of the same store has made.")
    }
}

// MARK: From an item to its link

extension DataStore {
    /// The link to an item of the store.
    ///
    /// *Rule:* the store need not be open, nor hold the item.
    ///
    /// - Throws: `.unknownItemType`; `.invalidLink` if the identifier is an empty text.
    public func link<Item: DataStoreItem>(to item: Item) throws(DataStoreError) -> ItemLink {
        try link(to: item.id, of: Item.self)
    }

    /// The link to the item with an identifier.
    ///
    ///     let link = try store.link(to: id, of: Recipe.self)
    ///
    /// *Rule:* the store need not be open, nor hold the item.
    ///
    /// - Throws: `.unknownItemType`; `.invalidLink` if the identifier is an empty text.
    public func link<Item: DataStoreItem>(
        to id: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> ItemLink {
        try coordinator.reporting("link(to:)") { () throws(DataStoreError) in
            guard coordinator.itemTypes.contains(where: { $0 == type }) else {
                throw DataStoreError(
                    .unknownItemType, "\(coordinator.name) does not store items of the type \(type).",
                    itemType: Item.schema.name)
            }
            return try ItemLink(store: coordinator.nameInLinks, itemType: Item.schema.name, id.anyItemID)
        }
    }
}

extension StoreCoordinator {
    /// The name of the store, or of the one whose child it is.
    fileprivate var nameInLinks: String? {
        var root = self
        while let parent = root.parent { root = parent }
        return root.options.name.flatMap { $0.isEmpty ? nil : $0 }
    }
}

// MARK: From a link to its item

extension DataStoreReadAccessor {
    /// The item that a link leads to, or nil if there is none.
    ///
    ///     let link = try ItemLink(url)
    ///     let recipe = try store.read { try $0.item(link, of: Recipe.self) }
    ///
    /// *Cost:* one look-up by key.
    ///
    /// - Throws: `.invalidLink` for a link to another store, or one whose identifier is not of the type's kind;
    ///   `.unknownItemType`; `.wrongType` if it leads to an item of another type.
    public func item<Item: DataStoreItem>(
        _ link: ItemLink, of type: Item.Type
    ) throws(DataStoreError) -> Item? {
        try require(link)
        guard UTF8Text.areEqual(link.itemType, Item.schema.name) else {
            throw DataStoreError(
                .wrongType, "The link \(link) leads to an item of \(link.itemType).",
                advice: "Ask for that type, or for the item of any type by item(_:).",
                itemType: Item.schema.name)
        }
        return try linked(type, link)
    }

    /// The item of any type that a link leads to, or nil if there is none.
    ///
    ///     if let recipe = try store.read({ try $0.item(try ItemLink(url)) }) as? Recipe { print(recipe.name) }
    ///
    /// *Cost:* one look-up by key.
    ///
    /// - Throws: `.invalidLink` for a link to another store, or one whose identifier is not of the type's kind;
    ///   `.unknownItemType`.
    public func item(_ link: ItemLink) throws(DataStoreError) -> (any DataStoreItem)? {
        try require(link)
        for type in try block().schema.types where UTF8Text.areEqual(type.schema.name, link.itemType) {
            return try linked(type, link)
        }
        throw DataStoreError(
            .unknownItemType,
            "The store has no item type \"\(link.itemType)\", to which the link \(link) leads.",
            itemType: link.itemType)
    }

    private func require(_ link: ItemLink) throws(DataStoreError) {
        let store = try block().store
        guard link.storeName?.lowercased() == store.nameInLinks?.lowercased() else {
            throw .invalidLink("The link \(link) leads to another store than \(store.name).")
        }
    }

    private func linked<Item: DataStoreItem>(
        _ type: Item.Type, _ link: ItemLink
    ) throws(DataStoreError) -> Item? {
        guard let identifier = AnyItemID(text: link.identifier, type: Item.ID.attributeType),
            let id = Item.ID(identifier)
        else { throw .invalidLink("The link \(link) does not end with an identifier of \(link.itemType).") }
        return try item(id: id, of: type)
    }
}
