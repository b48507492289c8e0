import CSQLite
import Larder

/// Functions that our statements need and SQL does not have, registered on each of our connections and never
/// used in the schema, so that other tools can read every table.
enum SQLFunctions {
    /// The prefix of all their names.
    static let prefix = "larder_"

    static func register(on connection: OpaquePointer) {
        for kind in TextTest.Kind.allCases {
            for ignoresCase in [false, true] {
                TextTestFunction(kind: kind, ignoresCase: ignoresCase).register(on: connection)
            }
        }
        DecimalCollation.register(on: connection)
        ConstantList.register(on: connection)
        ReferenceFilter.register(on: connection)
        SumFunction.register(on: connection)
    }

    static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
}

/// A text test as a function of the column and the needle: 1 or 0, and 0 for nil.
struct TextTestFunction {
    let kind: TextTest.Kind
    let ignoresCase: Bool

    /// The name in SQL, such as `larder_hasPrefix_folded`.
    var name: String {
        let test = kind == .equals ? "equals" : kind.rawValue
        return "larder_" + test + (ignoresCase ? "_folded" : "")
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
            SQLValue.bytes(of: text), kind, needle: SQLValue.bytes(of: needle), ignoresCase: ignoresCase)
    }

    /// From 1 on, as no pointer is zero.
    private var number: UInt {
        let index = TextTest.Kind.allCases.firstIndex(of: kind) ?? 0
        return UInt(index * 2 + (ignoresCase ? 2 : 1))
    }

    private init?(number: UInt) {
        let kinds = TextTest.Kind.allCases
        let index = Int(number - 1) / 2
        guard number > 0, index < kinds.count else { return nil }
        self.init(kind: kinds[index], ignoresCase: number.isMultiple(of: 2))
    }

    init(kind: TextTest.Kind, ignoresCase: Bool) {
        self.kind = kind
        self.ignoresCase = ignoresCase
    }
}

/// The order of decimal numbers in their text form, as a collation.
enum DecimalCollation {
    static let name = "larder_decimal"

    static func register(on connection: OpaquePointer) {
        sqlite3_create_collation_v2(
            connection, name, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
                let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                return Int32(Cell.text(left).order(to: .text(right), storage: .decimal))
            }, nil)
    }
}

/// Values that SQLite passes to a function.
enum SQLValue {
    static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // In this order: asking for the blob may change how many bytes there are.
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The object that was bound under this name.
    static func pointer(_ value: OpaquePointer?, named name: StaticString) -> UnsafeMutableRawPointer? {
        name.withCString { sqlite3_value_pointer(value, $0) }
    }

    /// Makes SQLite copy what it is given.
    static var copied: sqlite3_destructor_type {
        // reason: this is how SQLite's header defines SQLITE_TRANSIENT, which Swift cannot import.
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// The value as the cell of a column of this kind; valid during the call.
    static func cell(of value: OpaquePointer?, storage: AttributeType.Storage) -> Cell {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT: .text(bytes(of: value))
        case SQLITE_BLOB: storage == .unsigned ? .largeUnsigned(bytes(of: value)) : .blob(bytes(of: value))
        default: .null
        }
    }
}

extension Cell {
    /// A number above `Int64.max` from its stored bytes.
    static func largeUnsigned(_ bytes: UnsafeRawBufferPointer) -> Cell {
        guard bytes.count == 8 else { return .blob(bytes) }
        return .unsigned(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
}
