import CSQLite
import LarderPattern

/// The folding of a text as a function of the column: nil for a value that is not a text.
enum FoldingFunction {
    /// The name in SQL, such as `larder_text_folded`.
    static func name(of matching: TextMatching) -> String {
        "larder_text" + (matching.contains(.caseInsensitive) ? "_folded" : "")
            + (matching.contains(.diacriticInsensitive) ? "_plain" : "")
    }

    static func register(on connection: OpaquePointer) {
        for number: UInt8 in 1...3 {
            // reason: the number of the matching travels in the pointer that SQLite hands back; it is never followed.
            let context = UnsafeMutableRawPointer(bitPattern: UInt(number))
            sqlite3_create_function_v2(
                connection, name(of: TextMatching(rawValue: number)), 1, SQLFunctions.flags, context,
                { context, _, arguments in
                    guard let arguments, sqlite3_value_type(arguments[0]) == SQLITE_TEXT else {
                        return sqlite3_result_null(context)
                    }
                    let number = UInt8(truncatingIfNeeded: UInt(bitPattern: sqlite3_user_data(context)))
                    let folding = TextMatching(rawValue: number).folding
                    _ = folding.withFolded(SQLValue.bytes(of: arguments[0])) { folded in
                        let start = folded.bindMemory(to: CChar.self).baseAddress
                        if let start, !folded.isEmpty {
                            sqlite3_result_text(
                                context, start, Int32(clamping: folded.count), SQLValue.copied)
                        } else {
                            sqlite3_result_text(context, "", 0, SQLValue.copied)
                        }
                        return true
                    }
                }, nil, nil, nil)
        }
    }
}
