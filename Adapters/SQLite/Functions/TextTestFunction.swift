import CSQLite
import LarderKernel

/// A text test as a function of the column and the needle: 1 or 0, and 0 for nil.
struct TextTestFunction {
    private let kind: TextTest.Kind
    private let ignoresCase: Bool
    private let ignoresDiacritics: Bool

    init(_ test: TextTest) {
        kind = test.kind
        ignoresCase = test.ignoresCase
        ignoresDiacritics = test.ignoresDiacritics
    }

    /// The name in SQL, such as `larder_hasPrefix_folded`.
    var name: String {
        let test =
            switch kind {
            case .equals: "equals"
            case .less: "less"
            case .lessOrEqual: "less_or_equal"
            case .greater: "greater"
            case .greaterOrEqual: "greater_or_equal"
            case .contains, .hasPrefix, .hasSuffix: kind.rawValue
            }
        return "larder_" + test + (ignoresCase ? "_folded" : "") + (ignoresDiacritics ? "_plain" : "")
    }

    func register(on connection: OpaquePointer) {
        // reason: the number of the test travels in the pointer that SQLite hands back; it is never followed.
        let context = UnsafeMutableRawPointer(bitPattern: number)
        sqlite3_create_function_v2(
            connection, name, 2, SQLFunctions.flags, context,
            { context, _, arguments in
                guard let arguments else { return }
                let number = UInt(bitPattern: sqlite3_user_data(context))
                let test = TextTestFunction(number: number)
                let passes = test.map { $0.passes(arguments[0], needle: arguments[1]) } ?? false
                sqlite3_result_int(context, passes ? 1 : 0)
            }, nil, nil, nil)
    }

    private func passes(_ text: OpaquePointer?, needle: OpaquePointer?) -> Bool {
        guard sqlite3_value_type(text) == SQLITE_TEXT else { return false }
        return TextTest.matches(
            SQLValue.bytes(of: text), kind, needle: SQLValue.bytes(of: needle), ignoresCase: ignoresCase,
            ignoresDiacritics: ignoresDiacritics)
    }

    /// The numbers of all tests.
    static var numbers: ClosedRange<UInt> { 1...UInt(TextTest.Kind.allCases.count * 4) }

    /// From 1 on, as no pointer is zero.
    private var number: UInt {
        let index = TextTest.Kind.allCases.firstIndex(of: kind) ?? 0
        return UInt(index * 4 + (ignoresCase ? 1 : 0) + (ignoresDiacritics ? 2 : 0) + 1)
    }

    init?(number: UInt) {
        let kinds = TextTest.Kind.allCases
        guard number > 0, (number - 1) / 4 < UInt(kinds.count) else { return nil }
        kind = kinds[Int((number - 1) / 4)]
        ignoresCase = (number - 1) & 1 == 1
        ignoresDiacritics = (number - 1) & 2 == 2
    }
}

/// A test by a pattern as a function of the column and the pattern: 1 or 0, and 0 for nil.
///
/// The pattern is bound as an object, so that it is read once and not for each row.
final class PatternFunction {
    static let name = "larder_pattern"

    static let pointerName: StaticString = "larder_pattern"

    private let test: PatternTest

    init(_ test: PatternTest) {
        self.test = test
    }

    static func register(on connection: OpaquePointer) {
        sqlite3_create_function_v2(
            connection, name, 2, SQLFunctions.flags, nil,
            { context, _, arguments in
                guard let arguments,
                    let pointer = SQLValue.pointer(arguments[1], named: PatternFunction.pointerName)
                else { return sqlite3_result_int(context, 0) }
                let test = Unmanaged<PatternFunction>.fromOpaque(pointer).takeUnretainedValue().test
                let isText = sqlite3_value_type(arguments[0]) == SQLITE_TEXT
                let passes = isText && test.matches(SQLValue.bytes(of: arguments[0]))
                sqlite3_result_int(context, passes ? 1 : 0)
            }, nil, nil, nil)
    }
}
