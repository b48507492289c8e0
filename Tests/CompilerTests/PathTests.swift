import Testing

/// What the compiler says of a path, and of a name from another library, names the remedy.
@Suite(.enabled(if: Compiler.isThere))
struct PathTests {
    private static let items = """
        @StoredItem
        struct Recipe {
            var name: String
            var rating: Double
            var isVegan: Bool
            var tags: [String]
            @Transient var isShown: Bool = false
            var title: String { name.uppercased() }
        }

        """

    @Test(arguments: [
        "Recipe.where(\\.raiting > 4)", "Recipe.where(\\.title == \"SOUP\")", "Recipe.where(\\.isVegn)",
        "Recipe.where(\\.rating > 4 && \\.nmae == \"a\")", "Recipe.where(\\.rating > 4 && \\.isShown)",
        "Recipe.where(\\.rating > 4).filter(\\.isVegn)",
    ])
    func `a path to no stored property is said to be one`(_ request: String) throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(about: Self.items + "let request = \(request)")

            #expect(complaints.count == 1)
            let text = try #require(complaints.first?.text)
            let end = "requires that 'NotAStoredProperty' conform to 'FilterableAttribute'"
            #expect(text.hasSuffix(end), "\(text)")
        }
    }

    @Test func `a truth value is a filter wherever a filter is`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: Self.items + """
                    let requests = [
                        Recipe.where(\\.isVegan), Recipe.where(!\\.isVegan).filter(\\.isVegan),
                        Recipe.where(\\.isVegan && \\.rating > 4 || !\\.isVegan && \\.name == "a"),
                    ]
                    let filter: Filter<Recipe> = \\.isVegan || !(\\.isVegan && \\.rating < 2)
                    """)

            #expect(complaints == [])
        }
    }

    @Test(arguments: [
        ("accessor.fetch(Recipe.all)", "'fetch' has been renamed to 'items(for:)'"),
        ("accessor.fetchAll(Recipe.all)", "'fetchAll' has been renamed to 'items(for:)'"),
        ("accessor.first(Recipe.all)", "'first' has been renamed to 'firstItem(for:)'"),
        ("accessor.fetchOne(Recipe.all)", "'fetchOne' has been renamed to 'firstItem(for:)'"),
        ("accessor.count(Recipe.all)", "'count' has been renamed to 'countItems(for:)'"),
        ("accessor.fetchCount(Recipe.all)", "'fetchCount' has been renamed to 'countItems(for:)'"),
        ("accessor.add(recipe)", "'add' has been renamed to 'insert(_:)'"),
        ("accessor.insert([recipe].lazy)", "'insert' has been renamed to 'insert(contentsOf:)'"),
        ("accessor.delete(Recipe.all)", "'delete' has been renamed to 'deleteItems(for:)'"),
        ("accessor.deleteAll(Recipe.self)", "'deleteAll' has been renamed to 'deleteAllItems(of:)'"),
        (
            "accessor.save()",
            "'save()' is unavailable: Leave the call out: the changes are stored when the block ends"
        ),
        (
            "accessor.save(recipe)",
            "'save' is unavailable: Use update(_:) for a stored item, insert(_:) for a new one, upsert(_:) for both"
        ),
        ("Recipe.filter(\\.rating > 4)", "'filter' has been renamed to 'where(_:)'"),
        ("Recipe.all.where(\\.rating > 4)", "'where' has been renamed to 'filter(_:)'"),
        ("Recipe.all.order(by: \\.name)", "'order(by:_:)' has been renamed to 'sorted(by:_:)'"),
        ("Recipe.all.sort(\\.name)", "'sort' has been renamed to 'sorted(by:)'"),
        ("Recipe.all.sorted(by: \\.name, .desc)", "'desc' has been renamed to 'descending'"),
        (
            "Recipe.where { $0.rating > 4 }",
            "'where' is unavailable: Name attributes by their paths: Recipe.where(\\.rating > 4)"
        ),
        (
            "store.write { _ = try $0.insert(recipe) }",
            "'write' is unavailable: Use writeSync(_:), or in async code writeAsync(_:)"
        ),
        (
            "store.performAndWait { _ = try $0.insert(recipe) }",
            "'performAndWait' is unavailable: Use writeSync(_:), or read(_:) if nothing is changed"
        ),
    ])
    func `a name of another library is answered with Larder's`(_ call: String, _ text: String) throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: Self.items + """
                    func use(
                        _ accessor: DataStoreReadWriteAccessor, _ store: any DataStore, _ recipe: Recipe
                    ) throws {
                        _ = try \(call)
                    }
                    """)

            #expect(complaints.map(\.text).filter { !$0.hasPrefix("no calls to throwing") } == [text])
        }
    }
}
