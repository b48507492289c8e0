import Larder

/// A row of a table: a request, and the items that answer it, in order.
///
///     Answer(Dish.all.sorted(by: \.course), [2, 6, 1, 3, 4, 7, 5, 8, 9, 10])
///
/// `ConformanceCase(_:proves:answersOf:rows:)` is a table, which asks each of its rows in every way.
struct Answer: Sendable {
    let check: @Sendable (DataStoreReadAccessor, AskedPlace) throws -> Void

    /// - Parameter expected: The identifiers of the items.
    init<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, _ expected: [Int64], file: StaticString = #fileID,
        line: Int = #line
    ) {
        self.init(request, expected.map { AnyItemID.integer($0) }, file: file, line: line)
    }

    /// - Parameter expected: The identifiers of the items, which are not all numbers.
    @_disfavoredOverload
    init<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, _ expected: [AnyItemID], file: StaticString = #fileID,
        line: Int = #line
    ) {
        check = { accessor, place in
            try AnswerCheck(
                request: request, expected: expected, accessor: accessor,
                place: SourcePlace(file: file, line: line)
            ).run(in: place)
        }
    }
}

extension Answer {
    /// A row of a request for groups: their keys, their number, and each of them alone.
    ///
    ///     Answer(groups: Sale.all.grouped(by: \.city).having(.count > 1), gives: ["Rome"])
    init<Item: DataStoreItem, Key: Equatable>(
        groups request: GroupRequest<Item, Key>, gives expected: [Key], file: StaticString = #fileID,
        line: Int = #line
    ) {
        check = { accessor, place in
            func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ way: String) throws {
                try LarderConformance.expect(actual, equals: expected, way, file: file, line: line)
            }
            try expect(try accessor.groups(for: request), expected, "groups")
            try expect(try accessor.countGroups(for: request), expected.count, "the number of groups")
            guard place.isForEveryWay else { return }
            for index in expected.indices {
                let group = try accessor.groups(for: request.offset(index).limit(1))
                try expect(group, [expected[index]], "the group \(index)")
            }
        }
    }
}

/// The rows of a table: answers, lists of filters with the items that they pass, and loops over these.
@resultBuilder
enum AnswerRows {
    static func buildExpression(_ row: Answer) -> [Answer] { [row] }

    static func buildExpression<Item: DataStoreItem>(
        _ rows: [(Filter<Item>, [Int64])], file: StaticString = #fileID, line: Int = #line
    ) -> [Answer] {
        rows.map { Answer(Item.where($0.0), $0.1, file: file, line: line) }
    }

    static func buildBlock(_ rows: [Answer]...) -> [Answer] { rows.flatMap { $0 } }

    static func buildArray(_ rows: [[Answer]]) -> [Answer] { rows.flatMap { $0 } }
}

extension ConformanceCase {
    /// A table of answers, each of which is asked in every way that there is, in every place that items are read from.
    init(
        _ title: String, proves rules: Int..., answersOf store: AskedStore, file: StaticString = #fileID,
        line: Int = #line, @AnswerRows rows: @escaping @Sendable () -> [Answer]
    ) {
        let body: @Sendable (ConformanceWorld) throws -> Void = { world in
            let rows = rows()
            try store.ask(in: world) { accessor, place in
                for row in rows { try row.check(accessor, place) }
            }
        }
        self.init(title, rules, .blocking(body), SourcePlace(file: file, line: line))
    }

    /// A case that only asks a filled store, and is asked in every place that items are read from.
    init(
        _ title: String, proves rules: Int..., asking store: AskedStore, file: StaticString = #fileID,
        line: Int = #line, _ questions: @escaping @Sendable (DataStoreReadAccessor) throws -> Void
    ) {
        let body: @Sendable (ConformanceWorld) throws -> Void = { world in
            try store.ask(in: world) { accessor, _ in try questions(accessor) }
        }
        self.init(title, rules, .blocking(body), SourcePlace(file: file, line: line))
    }
}
