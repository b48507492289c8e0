public import Foundation

/// A store as another store remembers it.
///
/// The identity says which store it is. The location is a hint for messages: where the store was when this
/// was written, before folders were renamed or an app's container moved.
public struct StoreReference: Hashable, Sendable {
    /// The name of the engine, such as `"SQLite"`.
    public var engine: String
    /// The ``StoredSchema/identity`` of the store; nil for what has none, such as lines of text.
    public var identity: UUID?
    /// The location of the store, or nil if it has none.
    public var location: String?

    public init(engine: String, identity: UUID? = nil, location: String? = nil) {
        self.engine = engine
        self.identity = identity
        self.location = location
    }

    /// - Parameter identity: The identity of the store at the address.
    package init(_ address: StoreAddress, identity: UUID?) {
        self.init(engine: address.engine, identity: identity, location: address.location)
    }

    /// True if both mean one store: by their identities, or by their places if either has none.
    public func isSameStore(as other: StoreReference) -> Bool {
        if let identity, let otherIdentity = other.identity { return identity == otherIdentity }
        return engine == other.engine && location == other.location
    }

    /// Text that is equal for references to one store, judged by one reference alone.
    package var key: String { identity?.uuidString ?? description }
}

extension StoreReference: CustomStringConvertible {
    public var description: String {
        guard let location else { return engine }
        return "\(engine) at \(location)"
    }
}
