public import LarderKernel

// Items whose types are Codable have their relationships as identifiers, as a ToOne has: the JSON of an item does not grow
// with what a request has read beside it, and an item may lead back to itself. An item that was read without its related items
// does not know them, nor does one that was read with a part of them, or with ordered ones in another order. So their key is
// left out, and what is decoded without the key keeps the items that are stored. The container's functions do that: the
// compiler's own code for a Codable struct calls them.

extension ToMany: Codable {
    /// The items with these identifiers; ``ToMany/notGiven`` for nil.
    public init(from decoder: any Decoder) throws {
        let ids = try [Target.ID]?(from: decoder)
        self = ids.map { Self(ids: $0) } ?? .notGiven
    }

    /// The identifiers of the items that it was given, or that a request has read with it; nil if neither, or if the
    /// request has read a part of them.
    public func encode(to encoder: any Encoder) throws { try knownIDs.encode(to: encoder) }
}

extension OrderedToMany: Codable {
    /// The items with these identifiers, in this order; ``OrderedToMany/notGiven`` for nil.
    public init(from decoder: any Decoder) throws {
        let ids = try [Target.ID]?(from: decoder)
        self = ids.map { Self(ids: $0) } ?? .notGiven
    }

    /// The identifiers of the items that it was given, or that a request has read with it; nil if neither, or if the
    /// request has read a part of them.
    public func encode(to encoder: any Encoder) throws { try knownIDs.encode(to: encoder) }
}

extension ToOneInverse: Codable {
    /// The item with this identifier, or none for nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { self.init() } else { self.init(id: try container.decode(Target.ID.self)) }
    }

    /// The identifier of the item that it was given, or that a request has read with it; nil if neither.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(knownIDs?.first)
    }
}

extension RelationshipValue {
    /// The identifiers of all its items, if it was given them or a request has read them.
    fileprivate var knownIDs: [Target.ID]? {
        assignedIdentifiers?.compactMap { Target.ID($0) } ?? allItems?.map { $0.id }
    }
}

extension KeyedDecodingContainer {
    /// The items of a relationship; ``ToMany/notGiven`` if the key is missing or nil.
    public func decode<Target: DataStoreItem>(
        _ type: ToMany<Target>.Type, forKey key: Key
    ) throws -> ToMany<Target> {
        try decodeIfPresent(type, forKey: key) ?? .notGiven
    }

    /// The items of a relationship; ``OrderedToMany/notGiven`` if the key is missing or nil.
    public func decode<Target: DataStoreItem>(
        _ type: OrderedToMany<Target>.Type, forKey key: Key
    ) throws -> OrderedToMany<Target> {
        try decodeIfPresent(type, forKey: key) ?? .notGiven
    }

    /// The item of a relationship, or none for nil; ``ToOneInverse/notGiven`` if the key is missing.
    public func decode<Target: DataStoreItem>(
        _ type: ToOneInverse<Target>.Type, forKey key: Key
    ) throws -> ToOneInverse<Target> {
        if let item = try decodeIfPresent(type, forKey: key) { return item }
        return contains(key) ? ToOneInverse() : .notGiven
    }
}

extension KeyedEncodingContainer {
    /// Encodes the identifiers of a relationship's items; nothing if they are not known, or not all.
    public mutating func encode<Target>(_ value: ToMany<Target>, forKey key: Key) throws {
        if let ids = value.knownIDs { try encode(ids, forKey: key) }
    }

    /// Encodes the identifiers of a relationship's items; nothing if they are not known, or not all.
    public mutating func encode<Target>(_ value: OrderedToMany<Target>, forKey key: Key) throws {
        if let ids = value.knownIDs { try encode(ids, forKey: key) }
    }

    /// Encodes the identifier of a relationship's item, or nil; nothing if it is not known.
    public mutating func encode<Target>(_ value: ToOneInverse<Target>, forKey key: Key) throws {
        guard let ids = value.knownIDs else { return }
        if let id = ids.first { try encode(id, forKey: key) } else { try encodeNil(forKey: key) }
    }
}
