import CSQLite
import LarderKernel
import LarderSQL

/// The constants of a long `isIn`, which SQL reads one by one by their numbers.
///
/// A statement has room for some thousand parameters; this takes one, whatever the length.
final class ConstantList {
    /// From here on a list is passed in this way.
    static let minimumLength = 501

    static let pointerName: StaticString = "larder_list"

    private let constants: [Constant]

    init(_ constants: [Constant]) {
        self.constants = constants
    }

    /// A query that gives the constants of a list, which is bound under ``pointerName``.
    static func query(length: SQLParameter, list: SQLParameter) -> SQLFragment {
        var sql = SQLFragment()
        sql.append(
            "WITH RECURSIVE larder_number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM larder_number LIMIT ")
        sql.append(length)
        sql.append(") SELECT larder_constant(")
        sql.append(list)
        sql.append(", n) FROM larder_number")
        return sql
    }

    static func register(on connection: OpaquePointer) {
        sqlite3_create_function_v2(
            connection, "larder_constant", 2, SQLFunctions.flags, nil,
            { context, _, arguments in
                guard let arguments,
                    let pointer = SQLValue.pointer(arguments[0], named: ConstantList.pointerName)
                else { return }
                let list = Unmanaged<ConstantList>.fromOpaque(pointer).takeUnretainedValue()
                list.give(Int(sqlite3_value_int64(arguments[1])), to: context)
            }, nil, nil, nil)
    }

    private func give(_ number: Int, to context: OpaquePointer?) {
        guard constants.indices.contains(number) else { return }
        switch constants[number] {
        case .null: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .unsigned(let value): Self.give(value, to: context)
        case .text(var text), .decimal(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    sqlite3_result_text(
                        context, bytes.baseAddress, Int32(clamping: bytes.count), SQLValue.copied)
                }
            }
        case .blob(let bytes):
            if bytes.isEmpty {
                sqlite3_result_zeroblob(context, 0)
            } else {
                sqlite3_result_blob(context, bytes, Int32(clamping: bytes.count), SQLValue.copied)
            }
        }
    }

    private static func give(_ value: UInt64, to context: OpaquePointer?) {
        if let small = Int64(exactly: value) {
            sqlite3_result_int64(context, small)
        } else {
            withUnsafeBytes(of: value.bigEndian) {
                sqlite3_result_blob(context, $0.baseAddress, 8, SQLValue.copied)
            }
        }
    }
}
