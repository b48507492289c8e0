import Testing

/// Larder beside SwiftData, whose public names this module has as SwiftData declares them.
@Suite(.enabled(if: Compiler.isThere))
struct NeighborTests {
    private static let swiftData = """
        public enum Schema {
            public enum Attribute {
                public struct Option: Sendable { public static var unique: Option { Option() } }
            }
            public enum Relationship {
                public struct Option: Sendable { public static var unique: Option { Option() } }
                public enum DeleteRule { case noAction, nullify, cascade, deny }
            }
        }
        public protocol DataStore: AnyObject {}
        public enum DataStoreError: Error { case unsupportedFeature }
        public protocol PersistentModel: AnyObject {}
        public struct FetchDescriptor<Model> {}
        @attached(peer)
        public macro Attribute(
            _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
        ) = #externalMacro(module: "SwiftDataMacros", type: "AttributePropertyMacro")
        @attached(peer)
        public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientPropertyMacro")
        @attached(peer)
        public macro Relationship(
            _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
            minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
            inverse: AnyKeyPath? = nil, hashModifier: String? = nil
        ) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipPropertyMacro")
        @attached(member)
        public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")
        """

    private func complaints(about source: String) throws -> [String] {
        var complaints: [String] = []
        try withCompiler { compiler in
            try compiler.makeModule("SwiftData", from: Self.swiftData)
            complaints = try compiler.complaints(about: source, importing: ["SwiftData"]).map(\.description)
        }
        return complaints
    }

    @Test func `items and blocks need no other names beside SwiftData`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem
                struct Recipe {
                    var name: String
                    @Indexed var rating: Double = 0
                    @Unique var slug: String
                    var cookedAt: Date?
                }

                func best(_ accessor: DataStoreReadAccessor) throws -> [Recipe] {
                    try accessor.items(for: Recipe.where(\\.rating > 4).sorted(by: \\.name))
                }
                """)

        #expect(complaints == [])
    }

    @Test func `names of both modules are told apart by the module's name`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem
                struct Recipe {
                    @Larder.Attribute(originalName: "title") var name: String
                    @Larder.Attribute(.unique) var slug: String
                    @Larder.Transient var isShown: Bool = false
                    @Larder.Relationship(deleteRule: .cascade, inverse: \\Step.recipe) var steps: ToMany<Step>
                }
                @StoredItem
                struct Step { var recipe: ToOne<Recipe> }

                func open(_ store: any Larder.DataStore) throws(Larder.DataStoreError) { try store.setup() }
                func wanted() -> Predicate<Recipe>? { nil }
                """)

        #expect(complaints == [])
    }

    @Test func `an import of one declaration makes its short name Larder's`() throws {
        let complaints = try complaints(
            about: """
                import protocol Larder.DataStore
                import struct Larder.DataStoreError

                func open(_ store: any DataStore) throws(DataStoreError) { try store.setup() }
                """)

        #expect(complaints == [])
    }

    @Test func `a short name that both modules have is refused, and nothing worse`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem
                struct Recipe { @Attribute(originalName: "title") var name: String }
                func open(_ store: any DataStore) {}
                """)

        #expect(
            complaints == [
                "line 2: ambiguous use of 'Attribute'",
                "line 3: 'DataStore' is ambiguous for type lookup in this context",
            ])
    }
}
