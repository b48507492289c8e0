import CSQLite
import LarderKernel
import LarderSQL

/// A prepared statement.
///
/// *Rule:* belongs to its connection and is used by one thread at a time. Cells that are bound must stay
/// valid until the statement has been reset, unless they are copied.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let connection: SQLiteConnection
    /// The error of the first value that was not bound; SQLite takes such a value for nil, so that no step is made.
    // reason: used by one thread at a time; read with every step.
    @exclusivity(unchecked) private var bindingError: DataStoreError?

    init(_ sql: String, on connection: SQLiteConnection, flags: UInt32) throws(DataStoreError) {
        self.connection = connection
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw connection.failure(code) }
        handle = prepared
    }

    /// A statement of the app, which must be the only one in the text.
    ///
    /// - Throws: `.invalidRequest` if there is more than one; rethrows errors from SQLite.
    init(ofApp sql: String, on connection: SQLiteConnection) throws(DataStoreError) {
        self.connection = connection
        var prepared: OpaquePointer?
        let (code, rest) = sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection.handle, text, -1, 0, &prepared, &rest)
            return (code, rest.map { String(cString: $0) } ?? "")
        }
        guard code == SQLITE_OK, let prepared else { throw connection.failure(code) }
        handle = prepared
        if Self.isBlank(rest) { return }
        throw DataStoreError(
            .invalidRequest, "A text has more than one statement.",
            advice: "Run one statement after the other.")
    }

    /// True if a text has only blanks, semicolons and comments.
    ///
    /// SQLite is not asked: some pragmas already run when they are prepared.
    private static func isBlank(_ text: String) -> Bool {
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first.properties.isWhitespace || first == ";" {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if rest.starts(with: "/*".unicodeScalars) {
                rest.removeFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                return false
            }
        }
        return true
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row; returns false after the last.
    ///
    /// - Throws: The error of the first value that was not bound since the last reset; rethrows errors from SQLite.
    func step() throws(DataStoreError) -> Bool {
        if let bindingError { throw bindingError }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.failure(code)
    }

    /// Goes back before the first row, and releases everything the statement holds in the file.
    func reset() {
        sqlite3_reset(handle)
        bindingError = nil
    }

    /// Runs a statement that gives no rows.
    func run() throws(DataStoreError) {
        defer { reset() }
        while try step() {}
    }

    /// True if SQLite had to prepare the statement again since the last call: the schema has changed.
    func wasPreparedAnew() -> Bool {
        sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1) > 0
    }

    func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(at column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a blob or a text, which are valid until the next step or reset.
    @inline(__always)
    static func bytes(
        in handle: OpaquePointer, at column: Int32, ofText isText: Bool = false
    ) -> UnsafeRawBufferPointer {
        let start: UnsafeRawPointer? =
            isText
            ? UnsafeRawPointer(sqlite3_column_text(handle, column)) : sqlite3_column_blob(handle, column)
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The value as the cell of a column of this kind, whatever its type; valid until the next step or reset.
    static func cell(
        in handle: OpaquePointer, at column: Int32, as storage: AttributeType.Storage
    ) -> Cell {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column), storedAs: storage)
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: return .text(bytes(in: handle, at: column, ofText: true))
        case SQLITE_BLOB:
            let bytes = Self.bytes(in: handle, at: column)
            return storage == .unsigned ? .largeUnsigned(bytes) : .blob(bytes)
        default: return .null
        }
    }
}

// MARK: Binding

extension SQLiteStatement {
    /// True if SQLite copies text and bytes, or the cell stays valid until the reset.
    enum Lifetime {
        case copied
        case kept

        fileprivate var destructor: sqlite3_destructor_type? {
            switch self {
            case .copied: SQLValue.copied
            case .kept: nil
            }
        }
    }

    /// Binds a cell as it is stored in a column of this kind.
    func bind(
        _ cell: Cell, as storage: AttributeType.Storage, at index: Int32, _ lifetime: Lifetime
    ) {
        switch cell.kind {
        case .null: note(sqlite3_bind_null(handle, index))
        case .integer where storage == .unsigned && cell.integer < 0: bindLarge(cell.bits, at: index)
        case .integer: note(sqlite3_bind_int64(handle, index, cell.integer))
        case .real: note(sqlite3_bind_double(handle, index, cell.real))
        case .text: bindText(cell.bytes, at: index, lifetime)
        case .blob: bindBlob(cell.bytes, at: index, lifetime)
        }
    }

    func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32, _ lifetime: Lifetime) {
        // Without an address SQLite would bind nil.
        guard let start = bytes.baseAddress else {
            return note(sqlite3_bind_text(handle, index, "", 0, Lifetime.copied.destructor))
        }
        note(
            sqlite3_bind_text(
                handle, index, start.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
                lifetime.destructor))
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32, _ lifetime: Lifetime) {
        if bytes.isEmpty { return note(sqlite3_bind_zeroblob(handle, index, 0)) }
        note(
            sqlite3_bind_blob(
                handle, index, bytes.baseAddress, Int32(clamping: bytes.count), lifetime.destructor))
    }

    /// Notes the result of binding a value.
    @inline(__always)
    private func note(_ code: Int32) {
        if code != SQLITE_OK, bindingError == nil { bindingError = connection.failure(code) }
    }

    /// Numbers above `Int64.max` are stored as their bytes, which SQLite sorts after all integers.
    private func bindLarge(_ value: UInt64, at index: Int32) {
        withUnsafeBytes(of: value.bigEndian) { bindBlob($0, at: index, .copied) }
    }

    /// Binds an object that lives until something else is bound, for our functions to find by its name.
    private func bind(_ object: AnyObject, named name: StaticString, at index: Int32) {
        let retained = Unmanaged.passRetained(object).toOpaque()
        // reason: the name is compared by its text and must outlive the statement; a static string does.
        name.withCString {
            note(
                sqlite3_bind_pointer(handle, index, retained, $0) { pointer in
                    if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
                })
        }
    }
}

// MARK: Parameters of a plan

extension SQLiteStatement: SQLParameterBinder {
    /// Binds a constant of a plan; text and bytes are copied.
    func bind(_ constant: Constant, as storage: AttributeType.Storage, at number: Int) {
        constant.withCell { bind($0, as: storage, at: Int32(number), .copied) }
    }

    func bind(_ count: Int, at number: Int) {
        note(sqlite3_bind_int64(handle, Int32(number), Int64(count)))
    }

    func bind(list constants: [Constant], as storage: AttributeType.Storage, at number: Int) {
        bind(ConstantList(constants), named: ConstantList.pointerName, at: Int32(number))
    }

    /// Binds the prefix with its last byte one higher, or, as every text begins with the empty one, bytes, which
    /// SQLite sorts after all text.
    func bind(endOfTextsBeginningWith prefix: Constant, at number: Int) {
        var end = prefix.withCell { Array($0.bytes) }
        if let last = end.popLast() {
            end.append(last &+ 1)  // no byte of UTF-8 is 0xFF
            end.withUnsafeBytes { bindText($0, at: Int32(number), .copied) }
        } else {
            bindBlob(UnsafeRawBufferPointer(start: nil, count: 0), at: Int32(number), .copied)
        }
    }

    func bind(_ pattern: PatternTest, at number: Int) {
        bind(PatternFunction(pattern), named: PatternFunction.pointerName, at: Int32(number))
    }

    func bind(_ predicate: RowPredicate, of entity: EntitySchema, at number: Int) {
        bind(ReferenceFilter(predicate, of: entity), named: ReferenceFilter.pointerName, at: Int32(number))
    }
}
