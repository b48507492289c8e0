#if PostgreSQL
    import CPostgreSQL
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID
    import typealias Foundation.uuid_t

    /// The result of one statement: its rows, or the number of rows that it changed.
    ///
    /// *Rule:* the bytes of a row are valid as long as this object is.
    final class ServerAnswer {
        private let result: OpaquePointer

        /// - Parameter result: Belongs to this object from now on.
        init(_ result: OpaquePointer) {
            self.result = result
        }

        deinit {
            PQclear(result)
        }

        var rowCount: Int { Int(PQntuples(result)) }

        /// The memory that the answer takes.
        var byteCount: Int { PQresultMemorySize(result) }

        /// True if a row has more bytes than a limit.
        ///
        /// *Cost:* nothing if all rows together have no more.
        func hasRow(over limit: Int) -> Bool {
            if byteCount <= limit { return false }
            return (0..<PQntuples(result)).contains { row in
                (0..<PQnfields(result)).reduce(0) { $0 + Int(PQgetlength(result, row, $1)) } > limit
            }
        }

        /// The names of the columns.
        var names: [String] {
            (0..<PQnfields(result)).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
        }

        /// The numbers of the columns' types.
        var types: [UInt32] { (0..<PQnfields(result)).map { PQftype(result, $0) } }

        /// True if a column is one of a table, and not computed.
        func isOfTable(_ column: Int) -> Bool { PQftable(result, Int32(truncatingIfNeeded: column)) != 0 }

        /// The number of rows that an insert, an update, a delete or a merge has changed; 0 for others.
        var changedCount: Int {
            // The server counts the rows of a SELECT too, which may have changes inside a WITH.
            if String(cString: PQcmdStatus(result)).hasPrefix("SELECT") { return 0 }
            return Int(String(cString: PQcmdTuples(result))) ?? 0
        }

        /// The bytes of a value; nil for nil.
        @inline(__always)
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
            let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
            if PQgetisnull(result, row, column) != 0 { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        }

        /// A value of type `bigint`; nil for nil and for other types.
        func integer(_ row: Int, _ column: Int) -> Int64? {
            guard let bytes = bytes(row, column), bytes.count == 8 else { return nil }
            return Int64(bitPattern: WireValue.bits(in: bytes))
        }

        /// A value of type `uuid`; nil for nil and for other types.
        func uuid(_ row: Int, _ column: Int) -> UUID? {
            guard let bytes = bytes(row, column), bytes.count == 16 else { return nil }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }

        /// The commit in the only row, if there is one: its number, and its token in the next column.
        func commit(at column: Int, on timeline: UInt64) -> ServerCommit? {
            guard rowCount == 1, let number = integer(0, column) else { return nil }
            return ServerCommit(timeline: timeline, number: number, token: uuid(0, column + 1))
        }

        func bool(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }

        /// The text as the server has it.
        func text(_ row: Int, _ column: Int) -> String {
            bytes(row, column).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// The first column of all rows as text.
        var texts: [String] { (0..<rowCount).map { text($0, 0) } }
    }

    extension ServerAnswer {
        /// Fills the cells with the first columns of a row.
        ///
        /// - Throws: `.damaged` for a value that is not of its column's type.
        func fill(
            _ cells: UnsafeMutablePointer<Cell>, fromRow row: Int, _ storages: [AttributeType.Storage],
            of table: EntityTable, _ arena: RowArena
        ) throws(DataStoreError) {
            for (column, storage) in storages.enumerated() {
                guard let bytes = bytes(row, column) else {
                    cells[column] = .null
                    continue
                }
                guard let cell = try WireValue.cell(bytes, as: storage, in: arena) else {
                    throw DataStoreError(
                        .damaged, "A column of \(table.plainName) holds values of another type.",
                        itemType: table.schema.name)
                }
                cells[column] = cell
            }
        }
    }
#endif
