#if PostgreSQL
    import CPostgreSQLRaw

    /// The result of one statement, whose values are in their binary form.
    final class LibpqAnswer {
        private let result: OpaquePointer

        /// - Parameter result: Belongs to this object from now on.
        init(_ result: OpaquePointer) {
            self.result = result
        }

        deinit {
            PQclear(result)
        }

        var rowCount: Int32 { PQntuples(result) }

        /// The number of rows that an insert, an update or a delete has changed.
        var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

        func integer(_ row: Int32, _ column: Int32) -> Int64 { Int64(bitPattern: bits(row, column)) }

        func real(_ row: Int32, _ column: Int32) -> Double { Double(bitPattern: bits(row, column)) }

        func bool(_ row: Int32, _ column: Int32) -> Bool {
            guard let value = PQgetvalue(result, row, column) else { return false }
            return value.pointee != 0
        }

        func text(_ row: Int32, _ column: Int32) -> String {
            guard let value = PQgetvalue(result, row, column) else { return "" }
            let bytes = UnsafeRawBufferPointer(
                start: UnsafeRawPointer(value), count: Int(PQgetlength(result, row, column)))
            return String(decoding: bytes, as: UTF8.self)
        }

        func optionalText(_ row: Int32, _ column: Int32) -> String? {
            if PQgetisnull(result, row, column) != 0 { return nil }
            return text(row, column)
        }

        /// The value that each row is turned into.
        func rows<Row>(_ row: (LibpqAnswer, Int32) -> Row) -> [Row] {
            let count: Int32 = rowCount
            var found: [Row] = []
            found.reserveCapacity(Int(count))
            for number in 0..<count { found.append(row(self, number)) }
            return found
        }

        /// The eight bytes of a number, which come in the order of the network.
        private func bits(_ row: Int32, _ column: Int32) -> UInt64 {
            guard let value = PQgetvalue(result, row, column) else { return 0 }
            return UInt64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt64.self))
        }
    }
#endif
