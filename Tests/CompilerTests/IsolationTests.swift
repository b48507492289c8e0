import Testing

/// What an app declares beside its items, if its declarations belong to the main actor unless they say otherwise.
@Suite(.enabled(if: Compiler.isThere))
struct IsolationTests {
    @Test(arguments: [
        [], ["InferIsolatedConformances"], ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"],
    ])
    func `an app whose default isolation is the main actor declares all as others do`(features: [String])
        throws
    {
        let source = """
            @StoredItem
            struct Meal {
                var name: String
                var course: Course
                var size: Size
                var deletedAt: Date?
                var cook: ToAny<Chef>?
            }
            @StoredItem struct Baker { var name: String }
            @StoredItem struct Grill { var name: String }
            enum Course: String, AttributeValue { case main, dessert }
            struct Size: CodableAttribute { var width: Int }

            extension Meal: SoftDeletable {
                static var deletionDate: AttributePath<Meal, Date?> { \\.deletedAt }
            }

            enum Chef: ItemUnion {
                case baker(Baker), grill(Grill)

                static let members: [UnionMember<Chef>] = [
                    .type(Baker.self, Chef.baker), .type(Grill.self, Chef.grill),
                ]

                struct Attributes: Sendable {
                    let name = UnionAttribute<Chef, String>(Baker.attributes.name, Grill.attributes.name)
                }
                static let attributes = Attributes()
                static let deleteRule = DeleteRule.nullify

                var item: any DataStoreItem {
                    switch self {
                    case .baker(let baker): baker
                    case .grill(let grill): grill
                    }
                }
            }

            enum Book {
                static let history = SchemaHistory { SchemaVersion("1", storing: [Meal.self, Baker.self, Grill.self]) }
            }

            let hooks = ItemHooks(Meal.self)
                .beforeInsert { $0.name = $0.name.lowercased() }
                .validating(\\.name, "is empty") { !$0.isEmpty }

            func rename(in store: any DataStore) async throws -> Int {
                let request = Meal.where(\\.name == "stew" && \\.course == .main)
                try await store.writeAsync { accessor in
                    for meal in try accessor.mutableItems(for: request) { meal.name = "Stew" }
                }
                return try await store.readAsync { try $0.items(for: request) }.count
            }
            """
        let options = ["-default-isolation", "MainActor"]
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: source, options: options + features.flatMap { ["-enable-upcoming-feature", $0] },
                findsRaces: true)
            #expect(complaints == [])
        }
    }
}
