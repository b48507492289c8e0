import Larder

/// Steps after which references and links lead from and to the same items, or that are refused.
enum StepEndCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Links of rows that stay do not go to rows of another type that come among them", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self],
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Draft", to: "Recipe") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        let recipe = try new.make(id: .integer(id + 10))
                        recipe["name"] = try old["text"]
                        recipe["minutes"] = .value(0 as Int32)
                    }
                })

            try expect(try store.items(Fixture.Recipe.all).map(\.id), equals: [1, 2, 3, 5, 11, 12])
            try Fixture.expectLinks(
                [1: [1, 3], 2: [2], 5: [1, 2]], of: Fixture.Recipe.self, in: store)
        }
    }

    private typealias Fixture = StepFixture
}
