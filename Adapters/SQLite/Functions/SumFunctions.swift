import CSQLite
import LarderKernel
import LarderValues

/// Sums and averages that are exact until they are rounded, as aggregate functions.
///
/// SQLite's own `sum` adds floating-point numbers one after the other, and knows no decimal numbers.
enum SumFunction: UInt, CaseIterable {
    /// Gives the bits of the number as an integer, as SQLite turns NaN into nil.
    case realSum = 1
    case realAverage
    /// Gives text, and bytes if no decimal number can hold the sum.
    case decimalSum
    /// With the places after the point as second argument.
    case decimalAverage

    /// The name in SQL.
    var name: String {
        switch self {
        case .realSum: "larder_sum"
        case .realAverage: "larder_average"
        case .decimalSum: "larder_decimal_sum"
        case .decimalAverage: "larder_decimal_average"
        }
    }

    static func register(on connection: OpaquePointer) {
        for function in allCases {
            // reason: the number of the function travels in the pointer, as for text tests.
            let context = UnsafeMutableRawPointer(bitPattern: function.rawValue)
            let count: Int32 = function == .decimalAverage ? 2 : 1
            switch function {
            case .realSum, .realAverage:
                sqlite3_create_function_v2(
                    connection, function.name, count, SQLFunctions.flags, context, nil,
                    { context, _, arguments in RealState.step(context, arguments) },
                    { context in RealState.finish(context) }, nil)
            case .decimalSum, .decimalAverage:
                sqlite3_create_function_v2(
                    connection, function.name, count, SQLFunctions.flags, context, nil,
                    { context, _, arguments in DecimalState.step(context, arguments) },
                    { context in DecimalState.finish(context) }, nil)
            }
        }
    }

    fileprivate static func running(_ context: OpaquePointer?) -> SumFunction {
        SumFunction(rawValue: UInt(bitPattern: sqlite3_user_data(context))) ?? .realSum
    }
}

/// The sum of one group while SQLite reads its rows.
private class SumState {
    // reason for unchecked: used by the thread of the statement, with every row.
    @exclusivity(unchecked) var count: UInt64 = 0

    required init() {}

    /// The state of the group that SQLite is at, made with its first row.
    @inline(__always)
    static func current(_ context: OpaquePointer?) -> Unmanaged<AnyObject>? {
        guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<UInt>.size)) else {
            return nil
        }
        let place = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let state = place.pointee { return Unmanaged.fromOpaque(state) }
        let state = Unmanaged<AnyObject>.passRetained(self.init())
        place.pointee = state.toOpaque()
        return state
    }

    /// The state, which is released with the result; nil if the group has no row.
    static func last(_ context: OpaquePointer?) -> AnyObject? {
        guard let memory = sqlite3_aggregate_context(context, 0),
            let state = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
        else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(state).takeRetainedValue()
    }
}

private final class RealState: SumState {
    @exclusivity(unchecked) private var sum = ExactSum()

    static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let value = arguments?[0], sqlite3_value_type(value) == SQLITE_FLOAT,
            let state = current(context)
        else { return }
        state._withUnsafeGuaranteedRef { state in
            // reason: this function makes no other states.
            let state = unsafeDowncast(state, to: RealState.self)
            state.sum.add(sqlite3_value_double(value))
            state.count += 1
        }
    }

    static func finish(_ context: OpaquePointer?) {
        let state = last(context) as? RealState
        let count = state?.count ?? 0
        let sum = state?.sum ?? ExactSum()
        if SumFunction.running(context) == .realSum {
            sqlite3_result_int64(context, Int64(bitPattern: sum.rounded.bitPattern))
        } else if count > 0 {
            sqlite3_result_int64(context, Int64(bitPattern: sum.quotient(by: count).bitPattern))
        }
    }
}

private final class DecimalState: SumState {
    @exclusivity(unchecked) private var sum = DecimalTotal()
    @exclusivity(unchecked) private var places = 0

    static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL, let state = current(context)
        else { return }
        state._withUnsafeGuaranteedRef { state in
            // reason: this function makes no other states.
            let state = unsafeDowncast(state, to: DecimalState.self)
            if !state.sum.add(SQLValue.bytes(of: arguments[0])) {
                return sqlite3_result_error(context, "not a decimal number", -1)
            }
            if state.count == 0, SumFunction.running(context) == .decimalAverage {
                state.places = Int(sqlite3_value_int64(arguments[1]))
            }
            state.count += 1
        }
    }

    static func finish(_ context: OpaquePointer?) {
        let state = last(context) as? DecimalState
        let count = state?.count ?? 0
        let sum = state?.sum ?? DecimalTotal()
        let isSum = SumFunction.running(context) == .decimalSum
        if !isSum, count == 0 { return }
        if let text = isSum ? sum.sum : sum.quotient(by: count, places: state?.places ?? 0) {
            sqlite3_result_text(context, text, -1, SQLValue.copied)
        } else {
            sqlite3_result_zeroblob(context, 0)
        }
    }
}
