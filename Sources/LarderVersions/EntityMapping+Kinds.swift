import LarderKernel

/// Keeps a type, and migrates its attributes by inference.
///
///     Keep("Kind")
///
/// Types that no mapping names are kept anyway; it is written for ``SchemaMapping/fill(_:with:)`` and
/// ``SchemaMapping/renaming(_:to:)``.
public struct Keep: SchemaMapping {
    public let entityMapping: EntityMapping

    public init(_ name: String) {
        entityMapping = EntityMapping(.keep, sources: [name], destinations: [name])
    }
}

/// Deletes a type that the new version does not have, with all its rows.
///
///     Delete("Draft")
///
/// Without it, the rows of a type that the app no longer names stay in the store. A later step that makes rows of a type
/// of this name is refused while the old ones are there, unless the version before that step declares them.
public struct Delete: SchemaMapping {
    public let entityMapping: EntityMapping

    public init(_ name: String) {
        entityMapping = EntityMapping(.delete, sources: [name], destinations: [])
    }
}

/// Renames a type; its rows, references and links stay.
///
///     Rename("Person", to: "Author")
///
/// *Cost:* no row is touched; SQLite builds the type's indexes again.
public struct Rename: SchemaMapping {
    public let entityMapping: EntityMapping

    public init(_ name: String, to newName: String) {
        entityMapping = EntityMapping(.rename, sources: [name], destinations: [newName])
    }
}

/// Adds rows to a type that the new version adds or keeps.
///
///     Insert("Settings") { old, new in
///         let settings = try new.make(id: .integer(1))
///         try settings.set("recipes", to: old.count(of: "Recipe"))
///     }
///
/// References and links lead to a row that is made with the identifier of one that the step drops.
public struct Insert: SchemaMapping {
    public let entityMapping: EntityMapping

    /// Makes a mapping that adds rows by one call of a closure.
    ///
    /// - Parameter body: Runs once, and may make any number of rows.
    public init(
        _ name: String, _ body: @escaping @Sendable (SourceReader, Destination) throws -> Void
    ) {
        entityMapping = EntityMapping(.insert, sources: [], destinations: [name], body: .once(body))
    }
}

/// Changes the rows of a type one by one.
///
///     Transform("Recipe") { old, new in
///         guard try old["isDraft", as: Bool.self] == false else { return }     // makes no row: it goes
///         let recipe = try new.make()
///         recipe["title"] = try old["name"]
///         try recipe.set("uuid", to: UUID())
///     }
///
/// Nothing is stored for a row if `make` is not called. *Cost:* reads each old row and writes each new one
/// in batches, in bounded memory.
public struct Transform: SchemaMapping {
    public let entityMapping: EntityMapping

    /// Makes a mapping that calls a closure for each row of a type.
    ///
    /// - Parameters:
    ///   - newName: The type of the new rows; nil for the same name.
    ///   - body: Runs for each row, in the order of the identifiers.
    public init(
        _ name: String, to newName: String? = nil,
        _ body: @escaping @Sendable (SourceRow, Destination) throws -> Void
    ) {
        entityMapping = EntityMapping(
            .transform, sources: [name], destinations: [newName ?? name], body: .rows(body))
    }
}

/// Turns each row of a type into rows of several types.
///
///     Split("Person", into: "Person", "Address") { old, new in
///         let person = try new.make("Person")
///         let address = try new.make("Address", id: new.newIdentifier(of: "Address"))
///         try person.set("address", to: address.id)
///     }
///
/// References to the old rows lead to rows of the type that keeps the name, or else of the first one. Links of the old rows
/// stay with rows of the first type; others need ``DestinationRow/setLinks(_:to:)``.
public struct Split: SchemaMapping {
    public let entityMapping: EntityMapping

    /// Makes a mapping that calls a closure for each row of a type, which makes rows of the others.
    ///
    /// - Parameter body: Runs for each row, in the order of the identifiers.
    public init(
        _ name: String, into first: String, _ others: String...,
        by body: @escaping @Sendable (SourceRow, Destination) throws -> Void
    ) {
        entityMapping = EntityMapping(
            .split, sources: [name], destinations: [first] + others, body: .rows(body))
    }
}

/// Joins each pair of rows of two types into one row.
///
///     Join("Person", "Address", by: "address", into: "Person") { person, address, new in
///         let joined = try new.make()
///         joined["city"] = try address?["city"] ?? nil
///     }
///
/// The second type is dropped, unless the new version has it. The closure does not receive a row of it that
/// belongs to none of the first. References to the second type do not lead to the joined rows by themselves, unless both have
/// the same identifier: assign others in a ``Transform`` of the types that refer to it.
public struct Join: SchemaMapping {
    public let entityMapping: EntityMapping

    /// Makes a mapping that calls a closure for each row of the first type.
    ///
    /// - Parameters:
    ///   - reference: The attribute of the first type that holds the identifier of the second's row; nil
    ///     if both have the same identifier.
    ///   - body: Runs for each row of the first type, with the row of the second one, or nil if it does not
    ///     exist.
    public init(
        _ name: String, _ other: String, by reference: String? = nil, into newName: String,
        _ body: @escaping @Sendable (SourceRow, SourceRow?, Destination) throws -> Void
    ) {
        entityMapping = EntityMapping(
            .join, sources: [name, other], destinations: [newName], body: .joined(by: reference, body))
    }
}
