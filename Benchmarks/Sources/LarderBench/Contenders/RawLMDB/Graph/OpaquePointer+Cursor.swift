import CLMDBRaw

/// Calls of a cursor, by integer keys and by bytes.
extension OpaquePointer {
    /// The value of a key; nil if there is none.
    func value(of key: Int64) throws -> UnsafeRawBufferPointer? {
        try withBytes(of: key) { try value(of: $0) }
    }

    func value(of bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        var (key, value) = (MDB_val(bytes), MDB_val())
        return try LMDBFailure.isFound(mdb_cursor_get(self, &key, &value, MDB_SET_KEY)) ? value.bytes : nil
    }

    /// Puts a value of so many bytes for a key, and has them written where LMDB keeps them.
    func reserve(_ count: Int, for id: Int64, flags: Int32) throws -> UnsafeMutableRawBufferPointer {
        var value = MDB_val(mv_size: count, mv_data: nil)
        try withBytes(of: id) { bytes in
            var key = MDB_val(bytes)
            try LMDBFailure.check(mdb_cursor_put(self, &key, &value, UInt32(flags | MDB_RESERVE)))
        }
        return UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    /// Adds an id to those under a key; one that is there already stays.
    func add(_ id: Int64, under key: UnsafeRawBufferPointer) throws {
        try withBytes(of: id) { bytes in
            var (key, value) = (MDB_val(key), MDB_val(bytes))
            let code = mdb_cursor_put(self, &key, &value, UInt32(MDB_NODUPDATA))
            if code != MDB_KEYEXIST { try LMDBFailure.check(code) }
        }
    }

    func add(_ id: Int64, under key: Int64) throws {
        try withBytes(of: key) { try add(id, under: $0) }
    }

    /// Removes an id from those under a key; one that is not there is left out.
    func remove(_ id: Int64, under key: UnsafeRawBufferPointer) throws {
        try withBytes(of: id) { bytes in
            var (key, value) = (MDB_val(key), MDB_val(bytes))
            if try LMDBFailure.isFound(mdb_cursor_get(self, &key, &value, MDB_GET_BOTH)) {
                try LMDBFailure.check(mdb_cursor_del(self, 0))
            }
        }
    }

    func remove(_ id: Int64, under key: Int64) throws {
        try withBytes(of: key) { try remove(id, under: $0) }
    }

    /// Visits the ids under a key, ascending.
    func forEachID(under key: Int64, _ visit: (Int64) throws -> Void) throws {
        try withBytes(of: key) { try forEachID(under: $0, visit) }
    }

    func forEachID(under key: UnsafeRawBufferPointer, _ visit: (Int64) throws -> Void) throws {
        var (key, value) = (MDB_val(key), MDB_val())
        var code = mdb_cursor_get(self, &key, &value, MDB_SET_KEY)
        while try LMDBFailure.isFound(code) {
            try visit(value.integer)
            code = mdb_cursor_get(self, &key, &value, MDB_NEXT_DUP)
        }
    }

    /// The number of ids under the key where the cursor is.
    func countIDs() throws -> Int {
        var count = 0
        try LMDBFailure.check(mdb_cursor_count(self, &count))
        return count
    }

    private func withBytes<Result>(
        of id: Int64, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeBytes(of: id, body)
    }
}
