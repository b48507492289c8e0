import CLMDBRaw

/// An error that LMDB returned.
struct LMDBFailure: Error, CustomStringConvertible {
    let code: Int32

    static func check(_ code: Int32) throws {
        guard code == MDB_SUCCESS else { throw LMDBFailure(code: code) }
    }

    /// Whether a search found something; throws when it failed.
    static func isFound(_ code: Int32) throws -> Bool {
        if code == MDB_NOTFOUND { return false }
        try check(code)
        return true
    }

    var description: String {
        let message = mdb_strerror(code).map { String(cString: $0) } ?? "unknown error"
        return "LMDB \(code): \(message)"
    }
}
