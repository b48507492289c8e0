/// One sentence of the contract, and the code that tests it on a store.
///
///     ConformanceCase("An item that was inserted is counted", proves: 4) { world in
///         let store = try world.open(Recipe.self)
///         try store.writeSync { accessor in
///             try accessor.insert(recipe)
///             guard try accessor.countItems(for: Recipe.all) == 1 else { throw Unexpected() }
///         }
///     }
///
/// The suite is a list of cases, and an adapter may add its own.
public struct ConformanceCase: Sendable {
    /// The statement that the case proves, as a sentence.
    public let title: String
    /// The numbers of the contract's rules that the case tests.
    public let rules: [Int]
    let body: Body
    let place: SourcePlace

    /// The body of a case, which runs on a thread of its own or as a task.
    enum Body: Sendable {
        case blocking(@Sendable (ConformanceWorld) throws -> Void)
        case awaiting(@Sendable (ConformanceWorld) async throws -> Void)
    }

    /// A case that runs on a thread of its own, so that it may block.
    public init(
        _ title: String, proves rules: Int..., file: StaticString = #fileID, line: Int = #line,
        run body: @escaping @Sendable (ConformanceWorld) throws -> Void
    ) {
        self.init(title, rules, .blocking(body), SourcePlace(file: file, line: line))
    }

    /// A case whose body awaits, and runs as a task.
    public init(
        _ title: String, proves rules: Int..., file: StaticString = #fileID, line: Int = #line,
        async body: @escaping @Sendable (ConformanceWorld) async throws -> Void
    ) {
        self.init(title, rules, .awaiting(body), SourcePlace(file: file, line: line))
    }

    init(_ title: String, _ rules: [Int], _ body: Body, _ place: SourcePlace) {
        self.title = title
        self.rules = rules
        self.body = body
        self.place = place
    }
}

/// A list of cases, one below the other.
///
/// A list is the body of a getter since the compiler checks a body once, and an initial value twice: for the module's
/// interface too.
@resultBuilder
enum CaseList {
    static func buildBlock(_ cases: ConformanceCase...) -> [ConformanceCase] { cases }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { title }
}

/// A place in the source, for failures.
struct SourcePlace: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: Int

    var description: String { "\(file):\(line)" }
}
