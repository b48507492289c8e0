#if PostgreSQL
    import LarderKernel
    import LarderSQL

    extension ServerSession {
        /// Runs a statement of the app.
        ///
        /// A reading one runs in a savepoint that is read-only: after a mistake the server refuses everything until the
        /// transaction has gone back. The core does the same for a writing one. The savepoint goes with the statement, so
        /// that it takes no further journey.
        ///
        /// *Cost:* a journey more if nothing has begun. With the statement in the same journey, a mistake in it would
        /// leave the store unchecked.
        func answer(to statement: SQLStatement) throws(DataStoreError) -> ServerAnswer {
            let parameters = ParameterList()
            for value in statement.values { parameters.append(value.cell, as: value.storage) }
            let request = connection.passing(statement.text, parameters)
            if isUntouched { _ = try perform([]) }
            runsTextOfApp = true
            defer { runsTextOfApp = false }
            if statement.isWriting { return try perform([request])[0] }
            try setSavepoint()
            // The savepoint's end ends this too.
            if case .writing = kind { pending.append(connection.passing("SET TRANSACTION READ ONLY")) }
            let answer: ServerAnswer
            do throws(DataStoreError) {
                answer = try perform([request])[0]
            } catch {
                try rollBackToSavepoint()
                throw error.code == .readOnly ? DataStoreError.writesWhileReading : error
            }
            try releaseSavepoint()
            return answer
        }
    }

    /// The columns of an answer to a statement of the app.
    final class AnswerColumns: SQLColumns {
        private let answer: ServerAnswer
        private let types: [UInt32]
        private let tables: [EntityTable]
        let names: [String]
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) var row = 0

        init(of answer: ServerAnswer, in tables: [EntityTable]) {
            self.answer = answer
            self.tables = tables
            names = answer.names
            types = answer.types
        }

        private lazy var areFlipped: [Bool?] = names.indices.map { isFlipped($0) }

        /// True for a column of unsigned numbers, which are stored flipped; nil if it is not known.
        ///
        /// The server does not tell which attribute a column is of, so all that have its name are considered. An element of
        /// an array counts as computed, and has the array's name. So does a column of a UNION, which has the attribute's
        /// name, as a computed number may. A column with another name than an attribute's is taken for what the caller asks
        /// for.
        private func isFlipped(_ position: Int) -> Bool? {
            let isArray = names[position].hasPrefix("larder_bigint_")
            let place = names[position].asSQLName + (isArray ? "[" : "")
            let storages = tables.flatMap { table in
                zip(table.columns, table.storages)
                    .filter { isArray ? $0.0.hasPrefix(place) : $0.0 == place }.map { $0.1 }
            }
            let isStored = isArray || answer.isOfTable(position)
            if storages.isEmpty { return isStored }
            if !storages.contains(.unsigned) { return false }
            return isStored && !storages.contains(.integer) ? true : nil
        }

        func cell(
            at position: Int, as storage: AttributeType.Storage, in arena: RowArena
        ) throws(DataStoreError) -> Cell? {
            guard let bytes = answer.bytes(row, position) else { return .null }
            switch (PlainType(rawValue: types[position]), storage) {
            case (.int8, .unsigned):
                guard let isFlipped = areFlipped[position] else { return nil }
                return try isFlipped
                    ? WireValue.cell(bytes, as: .unsigned, in: arena)
                    : cell(of: Self.integer(in: bytes), as: .unsigned, in: arena)
            case (.bool, .integer): return .integer(bytes.first == 1 ? 1 : 0)
            case (.bool, _): return nil
            case (.int8, _), (.int4, _), (.int2, _):
                return try cell(of: Self.integer(in: bytes), as: storage, in: arena)
            case (.float8, .real): return .real(Double(bitPattern: WireValue.bits(in: bytes)))
            case (.float4, .real):
                return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.integer(in: bytes)))))
            case (.numeric, .decimal): return try WireValue.cell(bytes, as: .decimal, in: arena)
            case (.numeric, .real): return ServerNumber.text(bytes).flatMap(Double.init).map(Cell.real)
            case (.numeric, .integer), (.numeric, .unsigned):
                guard let number = ServerNumber.text(bytes).flatMap({ Int64($0) }) else { return nil }
                return try cell(of: number, as: storage, in: arena)
            case (.text, .text), (.text, .json), (.varchar, .text), (.name, .text):
                return try WireValue.cell(bytes, as: .text, in: arena)
            case (.bytea, .blob), (.uuid, .blob): return .blob(bytes)
            default: return nil
            }
        }

        /// The types of which values are decoded, by their numbers on every server.
        private enum PlainType: UInt32 {
            case bool = 16
            case bytea = 17
            case name = 19
            case int8 = 20
            case int2 = 21
            case int4 = 23
            case text = 25
            case float4 = 700
            case float8 = 701
            case varchar = 1043
            case numeric = 1700
            case uuid = 2950
        }

        /// An integer of two, four or eight bytes.
        private static func integer(in bytes: UnsafeRawBufferPointer) -> Int64 {
            let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
            return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
        }
    }
#endif
