import Larder

/// The items of a random library.
struct LibraryItems {
    var people: [Person] = []
    var passports: [Passport] = []
    var shelves: [Shelf] = []
    var labels: [Label] = []
    var chapters: [Chapter] = []
    var books: [Book] = []

    func open(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(
            Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
        try store.writeSync { try insert(into: $0) }
        return store
    }

    func insert(into accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(contentsOf: people)
        try accessor.insert(contentsOf: passports)
        try accessor.insert(contentsOf: shelves)
        try accessor.insert(contentsOf: labels)
        try accessor.insert(contentsOf: chapters)
        try accessor.insert(contentsOf: books)
    }
}

/// Random items of a library, and random requests for them.
struct RandomLibrary: SeededFixture {
    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }

    private mutating func some<Element>(_ elements: [Element]) -> [Element] {
        Array(elements.shuffled(using: &self).prefix(number(0...3)))
    }

    mutating func library() throws -> (LibraryItems, LibraryModel) {
        var items = LibraryItems()
        for id in 1...14 {
            let mentor = id > 1 && !isNow(oneIn: 3) ? Int64(number(1...(id - 1))) : nil
            items.people.append(Person(Int64(id), pick(["Ada", "Bob", "Cy", "ada", ""]), mentor: mentor))
        }
        for holder in some(items.people) + some(items.people.reversed()) {
            let isTaken = items.passports.contains { $0.holder?.id == holder.id }
            items.passports.append(
                Passport(
                    "p\(items.passports.count)", number: number(0...3),
                    holder: isTaken ? nil : holder.id.rawValue))
        }
        items.shelves = (1...4).map { Shelf($0, room: $0 < 3 ? "north" : "room \($0)") }
        items.labels = ["red", "green", "blue", "Red", "ada"].enumerated().map { Label($1, rank: $0 / 2) }
        items.chapters = (1...5).map { Chapter(UInt8($0), pick(["Egg", "Intro", "End"])) }
        var model = try LibraryModel()
        for id in 1...40 {
            let (labels, chapters) = (some(items.labels), some(items.chapters))
            let book = Book(
                Int64(id * 10), pick(["Alpha", "Beta", "ada", ""]), by: Int64(number(1...14)),
                editedBy: isNow(oneIn: 3) ? nil : Int64(number(1...14)), year: number(1...5),
                shelf: isNow(oneIn: 3) ? nil : number(1...4), labels: ToMany(labels),
                chapters: OrderedToMany(chapters))
            items.books.append(book)
            try model.link(book, labels: labels, chapters: chapters)
        }
        try model.insert(items.people)
        try model.insert(items.passports)
        try model.insert(items.shelves)
        try model.insert(items.labels)
        try model.insert(items.chapters)
        try model.insert(items.books)
        return (items, model)
    }

    // MARK: Requests

    /// A request for one of the first five types.
    mutating func request(_ model: LibraryModel) throws -> (core: RequestCore, entity: Int) {
        let entity = number(0...4)
        var core = RequestCore(filter: try filter(entity, model, depth: 3))
        for _ in 0..<number(0...2) { core.order.append(try orderTerm(entity, model)) }
        if isNow(oneIn: 3) { core.offset = number(0...5) }
        if isNow(oneIn: 3) { core.limit = number(0...8) }
        return (core, entity)
    }

    private mutating func filter(_ entity: Int, _ model: LibraryModel, depth: Int) throws -> FilterNode {
        let relationships = model.schema.relationships[entity]
        if depth == 0 || relationships.isEmpty || isNow(oneIn: 4) { return test(entity, model) }
        switch number(0...5) {
        case 0: return .not(try filter(entity, model, depth: depth - 1))
        case 1, 2:
            let parts = try (0..<number(1...3)).map { _ in try filter(entity, model, depth: depth - 1) }
            return isNow(oneIn: 2) ? .all(parts) : .any(parts)
        default:
            let relationship = pick(relationships)
            let reference = reference(to: relationship)
            if isNow(oneIn: 4) {
                return .relatedCount(
                    reference, pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
                    number(-1...4))
            }
            let quantifiers: [FilterNode.Quantifier] =
                relationship.kind.isToMany
                ? [.any, .all, .none] : [.reference, .reference, .any, .all, .none]
            return .related(
                reference, pick(quantifiers), try filter(relationship.target, model, depth: depth - 1))
        }
    }

    private func reference(to relationship: StoreRelationship) -> RelationshipReference {
        if case .reference(let column) = relationship.form { return .column(column) }
        return .number(relationship.number)
    }

    private mutating func test(_ entity: Int, _ model: LibraryModel) -> FilterNode {
        let schema = model.schema.entities[entity]
        let column = number(0...(schema.attributes.count - 1))
        let value = model.constant(entity, column, using: &self)
        switch number(0...11) {
        case 0: return .always(!isNow(oneIn: 3))
        case 8:
            let (left, right) = (attribute(entity, model), attribute(entity, model))
            guard left.kind.isComparable(to: right.kind) else { return test(entity, model) }
            return .calculated(left.node, pick([.equal, .notEqual, .less, .greaterOrEqual]), right.node)
        case 1:
            return .isIn(column: column, [value, model.constant(entity, column, using: &self)])
        case 2 where schema.attributes[column].type == .string:
            let test = TextTest(
                pick(TextTest.Kind.allCases), pick(["a", "A", "e", "north", ""]), ignoresCase: isNow(oneIn: 2)
            )
            if isNow(oneIn: 2) { return .text(column: column, test) }
            return .pattern(column, isNow(oneIn: 2) ? .like : .matches, pick(["a.a", "A", "[a]da"]), [])
        case 3 where schema.attributes[column].isOptional:
            return .compare(column: column, isNow(oneIn: 2) ? .equal : .notEqual, .null)
        default:
            let comparisons: [Comparison] = [
                .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            ]
            return .compare(column: column, pick(comparisons), value)
        }
    }

    /// An attribute of the item, or of one that its references lead to.
    private mutating func attribute(
        _ entity: Int, _ model: LibraryModel
    ) -> (node: ValueNode, kind: ValueKind) {
        var path: [RelationshipReference] = []
        var number = entity
        while isNow(oneIn: 2) {
            let references = model.schema.relationships[number].filter { !$0.kind.isToMany }
            if references.isEmpty { break }
            let relationship = pick(references)
            path.append(reference(to: relationship))
            number = relationship.target
        }
        let attributes = model.schema.entities[number].attributes
        let column = self.number(0...(attributes.count - 1))
        return (.attribute(AttributePlace(path, column: column)), ValueKind(attributes[column].type))
    }

    private mutating func orderTerm(_ entity: Int, _ model: LibraryModel) throws -> OrderTerm {
        var path: [RelationshipReference] = []
        var number = entity
        while !isNow(oneIn: 3) {
            let references = model.schema.relationships[number].filter { !$0.kind.isToMany }
            if references.isEmpty { break }
            let relationship = pick(references)
            path.append(reference(to: relationship))
            number = relationship.target
        }
        let attributes = model.schema.entities[number].attributes
        let column = self.number(0...(attributes.count - 1))
        let isFolded = attributes[column].type == .string && isNow(oneIn: 2)
        let matching: TextMatching = isFolded ? pick([.caseInsensitive, .diacriticInsensitive]) : .exact
        return OrderTerm(
            AttributePlace(path, column: column), isAscending: isNow(oneIn: 2), matching)
    }
}
