public import LarderKernel

/// The mapping of some types from one version to the next, as a ``SchemaStep`` holds it.
///
/// Made by ``Keep``, ``Delete``, ``Rename``, ``Insert``, ``Transform``, ``Split`` and ``Join``.
public struct EntityMapping: Sendable {
    /// The kinds of mappings.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case keep, delete, rename, insert, transform, split, join
    }

    public let kind: Kind
    /// The stored names of the old types that it reads; the first is the one whose rows it is given.
    public let sources: [String]
    /// The stored names of the new types that it makes rows of.
    public let destinations: [String]
    package let body: Body
    /// The values that are made for each row.
    package fileprivate(set) var fills: [Fill] = []
    /// The attributes that have another name in the new version.
    package fileprivate(set) var renamedAttributes: [(old: String, new: String)] = []

    /// The code of a mapping.
    package enum Body: Sendable {
        /// None: rows stay unchanged, or are dropped with their type.
        case none
        /// For each old row.
        case rows(@Sendable (SourceRow, Destination) throws -> Void)
        /// For each old row, with the row of another type that belongs to it: the one that an attribute leads
        /// to, or the one with the same identifier.
        case joined(by: String?, @Sendable (SourceRow, SourceRow?, Destination) throws -> Void)
        /// Once.
        case once(@Sendable (SourceReader, Destination) throws -> Void)
    }

    /// A value that is made for each row of the first destination.
    package struct Fill: Sendable {
        package let attribute: String
        package let type: AttributeType
        package let encode: @Sendable (SourceRow, RowArena) throws -> Cell
    }

    package init(_ kind: Kind, sources: [String], destinations: [String], body: Body = .none) {
        self.kind = kind
        self.sources = sources
        self.destinations = destinations
        self.body = body
    }

    /// True if it goes through the old rows; false if their tables change as a whole, or the mapping reads
    /// no rows.
    public var readsRows: Bool {
        switch body {
        case .none: !fills.isEmpty
        case .rows, .joined, .once: true
        }
    }
}

/// A part of the list that makes a ``SchemaStep``.
public protocol SchemaMapping {
    var entityMapping: EntityMapping { get }
}

extension EntityMapping: SchemaMapping {
    public var entityMapping: EntityMapping { self }
}

extension SchemaMapping {
    /// The same mapping with a new value for each row.
    ///
    ///     Keep("Recipe").fill("uuid") { _ in UUID() }
    ///
    /// Every row that `make()` makes of the first destination begins with it. *Cost:* the rows are written
    /// one by one, even in ``Keep`` and ``Rename``.
    public func fill<Value: AttributeStorable>(
        _ attribute: String, with value: @escaping @Sendable (SourceRow) throws -> Value
    ) -> EntityMapping {
        var mapping = entityMapping
        mapping.fills.append(
            EntityMapping.Fill(attribute: attribute, type: Value.attributeType) { row, arena in
                try value(row).encode(in: arena)
            })
        return mapping
    }

    /// The same mapping with another name for an attribute, whose values stay.
    ///
    ///     Keep("Recipe").renaming("name", to: "title")
    public func renaming(_ attribute: String, to name: String) -> EntityMapping {
        var mapping = entityMapping
        mapping.renamedAttributes.append((attribute, name))
        return mapping
    }
}

extension EntityMapping: CustomStringConvertible {
    /// The mapping as it is written, such as `Rename("Person", to: "Author")`.
    public var description: String {
        func quoted(_ names: some Sequence<String>) -> String {
            names.map { "\"\($0)\"" }.joined(separator: ", ")
        }
        return switch kind {
        case .keep: "Keep(\(quoted(sources)))"
        case .delete: "Delete(\(quoted(sources)))"
        case .insert: "Insert(\(quoted(destinations)))"
        case .rename: "Rename(\(quoted(sources)), to: \(quoted(destinations)))"
        case .transform:
            sources == destinations
                ? "Transform(\(quoted(sources)))"
                : "Transform(\(quoted(sources)), to: \(quoted(destinations)))"
        case .split: "Split(\(quoted(sources)), into: \(quoted(destinations)))"
        case .join: "Join(\(quoted(sources)), into: \(quoted(destinations)))"
        }
    }
}
