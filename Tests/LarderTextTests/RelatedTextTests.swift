import Larder
import LarderText
import Testing

@testable import AdapterTestSupport

/// The store of a tool, which knows the item types by their description alone.
private enum Kitchen {
    static let recipe = 0
    static let person = 3

    static func schema() throws -> StoreSchema {
        try StoreSchema(
            of: StoredSchema(
                generation: 1,
                entities: [
                    entity(
                        1, "Recipe",
                        [
                            ("name", .string, false), ("rating", .double, false), ("kind", .itemID, true),
                            ("author", .itemID, false),
                        ],
                        [
                            relationship("ingredients", .toMany, "Ingredient", inverse: "recipe"),
                            relationship("tags", .toMany, "Tag"), relationship("kind", .toOne, "Kind"),
                            relationship("author", .toOne, "Person"),
                        ]),
                    entity(
                        2, "Ingredient",
                        [("name", .string, false), ("amount", .int64, false), ("recipe", .itemID, true)],
                        [relationship("recipe", .toOne, "Recipe")]),
                    entity(3, "Kind", [("name", .string, false), ("in", .int64, true)], []),
                    entity(
                        4, "Person",
                        [("name", .string, false), ("mentor", .itemID, true), ("any", .bool, false)],
                        [
                            relationship("recipes", .toMany, "Recipe", inverse: "author", .cascade),
                            relationship("passport", .toOneInverse, "Passport", inverse: "holder"),
                            relationship("mentor", .toOne, "Person"),
                        ]),
                    entity(
                        5, "Passport", [("number", .int64, false), ("holder", .itemID, true)],
                        [relationship("holder", .toOne, "Person")]),
                    entity(6, "Tag", [("name", .string, false)], []),
                ],
                nextEntityNumber: 7))
    }

    private static func entity(
        _ number: Int, _ name: String, _ attributes: [(name: String, type: AttributeType, isOptional: Bool)],
        _ relationships: [StoredSchema.Relationship]
    ) -> StoredSchema.Entity {
        let all = [(name: "id", type: AttributeType.itemID, isOptional: false)] + attributes
        return StoredSchema.Entity(
            number: number, name: name, storageName: name,
            attributes: all.map {
                StoredSchema.Attribute(
                    name: $0.name, storageName: $0.name, type: $0.type, isOptional: $0.isOptional)
            },
            indexes: [], relationships: relationships)
    }

    private static func relationship(
        _ name: String, _ kind: RelationshipSchema.Kind, _ target: String, inverse: String? = nil,
        _ rule: DeleteRule = .nullify
    ) -> StoredSchema.Relationship {
        StoredSchema.Relationship(name: name, kind: kind, target: target, inverse: inverse, deleteRule: rule)
    }
}

struct `The text of a filter that follows relationships` {
    private static let kind = RelationshipReference.column(3)
    private static let author = RelationshipReference.column(4)
    private static let ingredients = RelationshipReference.number(0)
    private static let tags = RelationshipReference.number(1)
    private static let isEgg = FilterNode.compare(column: 1, .equal, .text("Egg"))

    /// A text of a filter of recipes, what it is, and how that is written; nil where it is the same text.
    static let examples: [(String, FilterNode, String?)] = [
        (
            #"kind.name == "x""#,
            .related(kind, .reference, .compare(column: 1, .equal, .text("x"))), nil
        ),
        (
            #"author.mentor.name BEGINSWITH "A""#,
            .related(
                author, .reference,
                .related(
                    .column(2), .reference, .text(column: 1, TextTest(.hasPrefix, "A", ignoresCase: false)))),
            nil
        ),
        (#"ANY ingredients.name == "Egg""#, .related(ingredients, .any, isEgg), nil),
        (
            #"some ingredients (name = 'Egg')"#, .related(ingredients, .any, isEgg),
            #"ANY ingredients.name == "Egg""#
        ),
        (
            #"ANY ingredients (name == "Egg" AND amount > 2)"#,
            .related(ingredients, .any, .all([isEgg, .compare(column: 2, .greater, .integer(2))])), nil
        ),
        (
            #"ALL ingredients.amount > 2 OR NONE tags.name IN {"a", "b"}"#,
            .any([
                .related(ingredients, .all, .compare(column: 2, .greater, .integer(2))),
                .related(tags, .none, .isIn(column: 1, [.text("a"), .text("b")])),
            ]), nil
        ),
        ("ingredients.@count > 3", .relatedCount(ingredients, .greater, 3), nil),
        (
            "author.recipes.@count != 0",
            .related(author, .reference, .relatedCount(.number(0), .notEqual, 0)), nil
        ),
        (
            #"ANY ingredients.recipe.kind.name == "x""#,
            .related(
                ingredients, .any,
                .related(
                    .column(3), .reference,
                    .related(kind, .reference, .compare(column: 1, .equal, .text("x"))))), nil
        ),
        (
            #"ANY author.recipes (rating > 4.0 AND NONE tags (true))"#,
            .related(
                author, .reference,
                .related(
                    .number(0), .any,
                    .all([
                        .compare(column: 2, .greater, .real(4)), .related(tags, .none, .always(true)),
                    ]))), nil
        ),
        (
            #"NOT ANY author.passport.number == 5"#,
            .not(
                .related(
                    author, .reference, .related(.number(1), .any, .compare(column: 1, .equal, .integer(5))))),
            nil
        ),
        (
            #"kind (name == "x" OR NOT `in` == nil)"#,
            .related(
                kind, .reference,
                .any([
                    .compare(column: 1, .equal, .text("x")), .not(.compare(column: 2, .equal, .null)),
                ])), nil
        ),
        (
            #"kind.`in` NOT IN {1}"#,
            .not(.related(kind, .reference, .isIn(column: 2, [.integer(1)]))), "NOT kind.`in` IN {1}"
        ),
        (
            #"ANY ingredients.amount NOT IN {1}"#,
            .related(ingredients, .any, .not(.isIn(column: 2, [.integer(1)]))),
            "ANY ingredients (NOT amount IN {1})"
        ),
        (
            "kind.`in` BETWEEN 1 AND 5",
            .related(
                kind, .reference,
                .all([
                    .compare(column: 2, .greaterOrEqual, .integer(1)),
                    .compare(column: 2, .lessOrEqual, .integer(5)),
                ])), "kind (`in` >= 1 AND `in` <= 5)"
        ),
        (#"author.any == true"#, .related(author, .reference, .compare(column: 3, .equal, .integer(1))), nil),
        (
            #"4 < rating AND "x" == kind.name"#,
            .all([
                .compare(column: 2, .greater, .real(4)),
                .related(kind, .reference, .compare(column: 1, .equal, .text("x"))),
            ]), #"rating > 4.0 AND kind.name == "x""#
        ),
        ("kind.id == nil", .related(kind, .reference, .compare(column: 0, .equal, .null)), nil),
    ]

    @Test(arguments: examples.indices)
    func `is read and written`(example: Int) throws {
        let (text, node, written) = Self.examples[example]
        let schema = try Kitchen.schema()

        #expect(try FilterNode(text: text, of: Kitchen.recipe, in: schema) == node)
        #expect(node.text(of: Kitchen.recipe, in: schema) == written ?? text)
        #expect(
            try FilterNode(text: node.text(of: Kitchen.recipe, in: schema), of: Kitchen.recipe, in: schema)
                == node)
    }

    @Test func `ANY, ALL and NONE stay names of attributes`() throws {
        let schema = try Kitchen.schema()

        let node = try FilterNode(text: "any == true", of: Kitchen.person, in: schema)

        #expect(node == .compare(column: 3, .equal, .integer(1)))
        #expect(node.text(of: Kitchen.person, in: schema) == "any == true")
    }

    @Test(
        arguments: [
            ("kind.nmae == 'x'", DataStoreError.Code.unknownAttribute, 6, "Perhaps name is meant."),
            ("ingredient.name == 'x'", .unknownAttribute, 1, "Perhaps ingredients is meant."),
            ("name.kind == 'x'", .wrongType, 1, "Leave out what follows its dot."),
            ("ingredients.name == 'x'", .wrongType, 1, nil), ("ingredients == 'x'", .wrongType, 1, nil),
            ("ANY rating > 4", .wrongType, 5, nil),
            ("ANY ingredients.recipe.tags.name == 'x'", .wrongType, 5, nil),
            ("ingredients.@sum > 3", .invalidText, 14, nil),
            ("ingredients.@count > 'x'", .wrongType, 22, nil),
            ("ingredients.@count > 1.5", .wrongType, 22, nil), ("ingredients.@count", .invalidText, 19, nil),
            ("3 < ingredients.@count", .invalidText, 3, nil), ("kind. == 3", .invalidText, 7, nil),
            ("ANY ingredients (nmae == 'x')", .unknownAttribute, 18, "Perhaps name is meant."),
            ("ANY ingredients (name == 'x'", .invalidText, 29, nil),
            ("ANY ingredients (amount == 'x')", .wrongType, 28, nil), ("kind.in == 3", .invalidText, 6, nil),
            ("rating > .", .invalidText, 10, nil), ("ANY ingredients", .wrongType, 5, nil),
            ("kind.name", .invalidText, 10, nil),
        ] as [(String, DataStoreError.Code, Int, String?)])
    func `is refused with a code, its place and advice`(
        text: String, code: DataStoreError.Code, column: Int, advice: String?
    ) throws {
        let schema = try Kitchen.schema()
        let error = #expect(throws: DataStoreError.self) {
            try FilterNode(text: text, of: Kitchen.recipe, in: schema)
        }

        #expect(error.flatMap(TextFailure.init) == TextFailure(code, column: column))
        if let advice { #expect(error?.advice == advice) }
    }

    @Test func `comes back from its text, whatever it is`() throws {
        let schema = try Kitchen.schema()
        var random = Seed.ofProcess()
        for _ in 0..<1500 {
            let node = node(Kitchen.recipe, schema, depth: 3, &random)
            let text = node.text(of: Kitchen.recipe, in: schema)
            let read = try FilterNode(text: text, of: Kitchen.recipe, in: schema)

            try #require(read == node, "LARDER_SEED=\(random.seed): \(text)")
        }
    }

    /// A filter as the operators and functions make it.
    private func node(
        _ entity: Int, _ schema: StoreSchema, depth: Int, _ random: inout Seed
    ) -> FilterNode {
        func leaf(_ entity: Int, _ random: inout Seed) -> FilterNode {
            let attributes = schema.entities[entity].attributes
            let column = Int.random(in: 0..<attributes.count, using: &random)
            return Bool.random(using: &random)
                ? .compare(column: column, Bool.random(using: &random) ? .equal : .notEqual, .null)
                : .isIn(column: column, [.null])
        }
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return leaf(entity, &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .not(node(entity, schema, depth: depth - 1, &random))
        case 1:
            return .all([
                node(entity, schema, depth: depth - 1, &random), leaf(entity, &random),
            ])
        case 2:
            return .any([
                leaf(entity, &random), node(entity, schema, depth: depth - 1, &random),
            ])
        default:
            guard let relationship = schema.relationships[entity].randomElement(using: &random) else {
                return leaf(entity, &random)
            }
            let reference: RelationshipReference =
                if case .reference(let column) = relationship.form { .column(column) } else {
                    .number(relationship.number)
                }
            if Int.random(in: 0..<4, using: &random) == 0 {
                return .relatedCount(reference, .less, .random(in: -2...9, using: &random))
            }
            let quantifiers: [FilterNode.Quantifier] =
                relationship.kind.isToMany ? [.any, .all, .none] : [.reference, .reference, .any, .none]
            return .related(
                reference, quantifiers.randomElement(using: &random) ?? .any,
                node(relationship.target, schema, depth: depth - 1, &random))
        }
    }
}

struct `The text of an order that follows references` {
    @Test func `is read and written`() throws {
        let schema = try Kitchen.schema()
        let text = "kind.name DESC, rating, author.mentor.`any`, author.passport.number"

        let terms = try [OrderTerm](text: text, of: Kitchen.recipe, in: schema)

        #expect(
            terms == [
                OrderTerm(AttributePlace([.column(3)], column: 1), isAscending: false),
                OrderTerm(AttributePlace(column: 2), isAscending: true),
                OrderTerm(AttributePlace([.column(4), .column(2)], column: 3), isAscending: true),
                OrderTerm(AttributePlace([.column(4), .number(1)], column: 1), isAscending: true),
            ])
        #expect(
            terms.text(of: Kitchen.recipe, in: schema)
                == "kind.name DESC, rating, author.mentor.any, author.passport.number")
    }

    @Test(arguments: [
        ("kind.nmae", DataStoreError.Code.unknownAttribute, 6), ("ingredients.name", .wrongType, 1),
        ("tags.@count", .wrongType, 1), ("author.name.x", .wrongType, 8), ("kind.", .invalidText, 6),
    ])
    func `is refused with a code and its place`(text: String, code: DataStoreError.Code, column: Int) throws {
        let schema = try Kitchen.schema()
        let error = #expect(throws: DataStoreError.self) {
            try [OrderTerm](text: text, of: Kitchen.recipe, in: schema)
        }

        #expect(error.flatMap(TextFailure.init) == TextFailure(code, column: column))
    }
}
