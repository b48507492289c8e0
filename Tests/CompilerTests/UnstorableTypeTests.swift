import Testing

/// A property that cannot be stored is reported once, in words that say what to conform to.
@Suite(.enabled(if: Compiler.isThere))
struct UnstorableTypeTests {
    private static let unknown =
        "'init(column:)' is unavailable: this type cannot be stored. Conform it to AttributeValue (an enum with a "
        + "raw value) or to CodableAttribute (a Codable and Equatable type); refer to one item by a ToOne, to "
        + "several by a ToMany"

    private static let types = """
        enum Kind: String { case soup }
        enum Course: String, AttributeValue { case main }
        struct Point { var x = 0 }
        struct Size: Codable, Equatable { var width = 0 }
        struct Nutrition: CodableAttribute { var energy = 0 }
        @StoredItem struct Author { var name: String }
        typealias Authors = ToMany<Author>

        """

    @Test(arguments: [
        (
            "var kind: Kind",
            "'init(column:)' is unavailable: this enum cannot be stored yet. Conform it to AttributeValue: "
                + "enum Name: String, AttributeValue"
        ),
        ("@Attribute(originalName: \"old\", fallback: nil) var point: Point? = nil", unknown),
        ("var size: Size = Size()", unknown),
        ("var sizes: [Size]", unknown),
        (
            "var author: Author",
            "'init(column:)' is unavailable: an item cannot be stored inside another. Refer to it: "
                + "var name: ToOne<OtherItem>"
        ),
        (
            "var authors: [Author]",
            "'init(column:)' is unavailable: items cannot be stored inside another. Show those that belong to it: "
                + "var name: ToMany<OtherItem>"
        ),
        (
            "var authors: Authors",
            "'init(column:)' is unavailable: @StoredItem reads the source and cannot see what another name stands "
                + "for. Spell the type as ToMany<…>, OrderedToMany<…> or ToOneInverse<…>"
        ),
        (
            "@Indexed var nutrition: Nutrition",
            "'init(indexedColumn:)' is unavailable: no index can hold this type. @Indexed, @Unique and the lists of "
                + "@StoredItem need an AttributeValue; a CodableAttribute is stored as JSON, so store the "
                + "value to search for in a property of its own"
        ),
    ])
    func `a type that cannot be stored is one error`(_ property: String, _ text: String) throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: Self.types + "@StoredItem struct Recipe { var name: String; \(property) }")

            #expect(complaints == [Compiler.Complaint(line: nil, text: text)])
        }
    }

    @Test func `collections of what can be stored are stored`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: Self.types + """
                    @StoredItem
                    struct Recipe: Equatable {
                        var words: [String] = []
                        var courses: Set<Course>
                        var counts: [String: [Nutrition?]]?
                        var authors: [ItemID<Author>] = []
                        @Attribute(.unique) var slug: String
                        @Transient var isShown: Bool = false
                        @Transient private var last: Point? = nil
                        static func == (left: Recipe, right: Recipe) -> Bool { left.id == right.id }
                    }

                    let soup = Recipe(courses: [.main], counts: nil, slug: "soup", isShown: true)
                    """)

            #expect(complaints == [])
        }
    }
}
