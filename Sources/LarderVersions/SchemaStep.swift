import LarderKernel

/// The step from one version of an app's types to the next, type by type.
///
///     SchemaStep(from: "1", to: "2") {
///         Delete("Draft")
///         Rename("Person", to: "Author")
///         Transform("Recipe") { old, new in
///             let recipe = try new.make()                  // same identifier, attributes of the same name
///             recipe["title"] = try old["name"]
///         }
///     }
///
/// A type that no mapping names is inferred: it changes as a store follows small changes by itself. A step
/// without mappings is inferred as a whole. *Rule:* immutable; its closures see the rows of the version
/// that the step starts from by their stored names and types, never by the current types, so that a step does
/// the same years later. A step runs in one transaction: if a closure throws, nothing has changed.
public struct SchemaStep: Sendable {
    /// The name of the version that the step starts from.
    public let from: String
    /// The name of the version that the step leads to.
    public let to: String
    /// The mappings of the types that are not inferred.
    public let mappings: [EntityMapping]
    /// Runs over the rows of the old version before any mapping.
    package private(set) var before: (@Sendable (StepAccessor) throws -> Void)?
    /// Runs over the rows of the new version after all mappings.
    package private(set) var after: (@Sendable (StepAccessor) throws -> Void)?

    /// A step with mappings of these types; all others are inferred.
    public init(
        from: String, to: String, @EntityMappingBuilder mappings: () -> [EntityMapping] = { [] }
    ) {
        self.from = from
        self.to = to
        self.mappings = mappings()
    }

    /// The same step with a closure that runs over the old rows before the mappings.
    ///
    /// It may change and delete old rows, for example to make values differ that must be unique. A step
    /// has one; a later call replaces it.
    public func before(_ body: @escaping @Sendable (StepAccessor) throws -> Void) -> SchemaStep {
        var step = self
        step.before = body
        return step
    }

    /// The same step with a closure that runs over the new rows after the mappings.
    ///
    /// Its changes are checked like the mappings' own rows. A step has one; a later call replaces it.
    public func after(_ body: @escaping @Sendable (StepAccessor) throws -> Void) -> SchemaStep {
        var step = self
        step.after = body
        return step
    }

    /// True if no closure runs: small changes, new names and deletions of types alone.
    public var isInferred: Bool {
        before == nil && after == nil && mappings.allSatisfy { !$0.readsRows }
    }
}

extension SchemaStep: CustomStringConvertible {
    /// Such as `1 → 2`.
    public var description: String { "\(from) → \(to)" }
}

/// Collects the mappings of a ``SchemaStep``.
@resultBuilder
public enum EntityMappingBuilder {
    public static func buildExpression(_ mapping: some SchemaMapping) -> [EntityMapping] {
        [mapping.entityMapping]
    }
    public static func buildBlock(_ lists: [EntityMapping]...) -> [EntityMapping] { lists.flatMap(\.self) }
    public static func buildOptional(_ mappings: [EntityMapping]?) -> [EntityMapping] { mappings ?? [] }
    public static func buildEither(first mappings: [EntityMapping]) -> [EntityMapping] { mappings }
    public static func buildEither(second mappings: [EntityMapping]) -> [EntityMapping] { mappings }
    public static func buildArray(_ lists: [[EntityMapping]]) -> [EntityMapping] { lists.flatMap(\.self) }
}
