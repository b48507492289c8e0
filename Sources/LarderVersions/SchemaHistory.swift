public import LarderKernel

/// The versions of an app's schema, the ways between them, and the current version.
///
///     let history = SchemaHistory {
///         SchemaVersion("1", storing: [V1.Recipe.self])
///         SchemaVersion("2", storing: [V2.Recipe.self])
///         SchemaVersion("3", storing: [Recipe.self, Kind.self])
///         SchemaStep(from: "2", to: "3") { Keep("Recipe").renaming("name", to: "title") }
///     }
///     let store = SQLiteDataStore(at: url, storing: history)
///
/// A store is recognized by the name of its version, which it keeps, or by its shape; see
/// ``version(of:)``. If a way has no step of its own, the step is inferred: the store follows it as it
/// follows small changes of types. The order of the versions makes the ways, from each to the one after it,
/// unless a ``SchemaChain`` says otherwise. A step against the chain is a step down: `SchemaStep(from: "3", to:
/// "2")` lets an app whose version is 2 open a store of version 3. Steps down are never inferred.
///
/// *Rule:* a value, made once. Literals and builders cannot throw, so a mistake in the history is thrown by
/// ``validate()``, by its other methods, and by `setup()` of a store made with it: a version twice or
/// unknown, a loop, a version from which no way leads to the current one, two ways between two versions, a
/// step that is on no way.
public struct SchemaHistory: StoreVersions {
    /// The versions in the order of their declaration.
    public let versions: [SchemaVersion]
    /// The ways up.
    public let chain: SchemaChain
    /// The steps that are declared; all others are inferred.
    public let steps: [SchemaStep]
    /// The version to assume for a store that keeps no version's name and whose shape is ambiguous; if nil,
    /// such a store is refused.
    public let unnamed: String?
    private var currentName: String?
    /// The first mistake; nil if there is none.
    private var mistake: DataStoreError?

    /// A history with the ways of a chain.
    ///
    /// - Parameters:
    ///   - chain: The ways; with the empty chain (`nil`, `[]`), a store goes from any version directly to the
    ///     current one.
    ///   - steps: The steps that are not inferred, and those that lead down.
    ///   - current: The name of the current version, which need not be the newest; by default, the only one
    ///     that leads to no other.
    ///   - unnamed: See ``unnamed``.
    public init(
        _ versions: [SchemaVersion], chain: SchemaChain, steps: [SchemaStep] = [], current: String? = nil,
        unnamed: String? = nil
    ) {
        self.versions = versions
        self.chain = chain
        self.steps = steps
        self.unnamed = unnamed
        do throws(DataStoreError) {
            currentName = try checkedName(ofCurrent: current)
        } catch {
            mistake = error
        }
    }

    /// A history in which each version leads to the one after it.
    ///
    /// - Parameters: As in ``init(_:chain:steps:current:unnamed:)``.
    public init(
        _ versions: [SchemaVersion], steps: [SchemaStep] = [], current: String? = nil, unnamed: String? = nil
    ) {
        self.init(
            versions, chain: SchemaChain(versions.map(\.name)), steps: steps, current: current,
            unnamed: unnamed)
    }

    /// A history of versions, steps and, if the order of the versions is not the way, chains.
    ///
    /// - Parameters: As in ``init(_:chain:steps:current:unnamed:)``.
    public init(
        current: String? = nil, unnamed: String? = nil,
        @SchemaHistoryBuilder _ build: () -> [SchemaHistoryBuilder.Part]
    ) {
        let parts = build()
        let versions = parts.compactMap { if case .version(let version) = $0 { version } else { nil } }
        let steps = parts.compactMap { if case .step(let step) = $0 { step } else { nil } }
        let chains = parts.compactMap { if case .chain(let chain) = $0 { chain } else { nil } }
        if chains.isEmpty {
            self.init(versions, steps: steps, current: current, unnamed: unnamed)
        } else {
            let chain = SchemaChain { for chain in chains { chain } }
            self.init(versions, chain: chain, steps: steps, current: current, unnamed: unnamed)
        }
    }

    /// Checks the history.
    ///
    /// - Throws: `.invalidSchema` with the way drawn, such as `1 → 2 → 3 → 1`.
    public func validate() throws(DataStoreError) {
        if let mistake { throw mistake }
    }

    /// The current version.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake.
    public func current() throws(DataStoreError) -> SchemaVersion {
        try validate()
        guard let currentName, let version = version(named: currentName) else {
            throw DataStoreError(.invalidSchema, "The history has no current version.")
        }
        return version
    }

    /// The version of a name, or nil.
    public func version(named name: String) -> SchemaVersion? {
        versions.first { UTF8Text.areEqual($0.name, name) }
    }
}

extension SchemaHistory: ExpressibleByArrayLiteral {
    /// A history in which each version leads to the one after it.
    public init(arrayLiteral versions: SchemaVersion...) { self.init(versions) }
}

extension SchemaHistory: ExpressibleByDictionaryLiteral {
    /// A history of versions by their names, in which each leads to the one after it:
    /// `["1": [V1.Recipe.self], "2": [Recipe.self]]`.
    public init(dictionaryLiteral versions: (String, [any DataStoreItem.Type])...) {
        self.init(versions.map { SchemaVersion($0, storing: $1) })
    }
}

/// Makes a ``SchemaHistory`` of versions, steps and chains, one a line.
@resultBuilder
public enum SchemaHistoryBuilder {
    /// A line of the history.
    public enum Part: Sendable {
        case version(SchemaVersion)
        case step(SchemaStep)
        case chain(SchemaChain)
    }

    public static func buildExpression(_ version: SchemaVersion) -> [Part] { [.version(version)] }
    public static func buildExpression(_ step: SchemaStep) -> [Part] { [.step(step)] }
    public static func buildExpression(_ chain: SchemaChain) -> [Part] { [.chain(chain)] }
    public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
    public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
    public static func buildEither(first parts: [Part]) -> [Part] { parts }
    public static func buildEither(second parts: [Part]) -> [Part] { parts }
    public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
}
