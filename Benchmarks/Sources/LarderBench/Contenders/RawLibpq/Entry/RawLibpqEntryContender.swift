#if PostgreSQL
    /// libpq by hand, with entries in batches: what any import or merge over it can at best reach.
    final class RawLibpqEntryContender: EntryContender {
        private let session: LibpqSession<EntryStatement>
        private var staged = Staged.nothing

        /// The entries that a merge stores.
        private enum Staged {
            case nothing
            case new([ImportedEntry])
            /// Stored entries with the values that they had, and those that they get.
            case values([(entry: ImportedEntry, before: Int)])
        }

        private var connection: LibpqConnection { session.connection }

        init(in place: ServerPlace) throws {
            session = try LibpqSession(in: place, .normal)
            try session.connection.execute("CREATE SCHEMA \(place.schema)")
            for statement in EntryStatement.creation { try session.connection.execute(statement) }
            // A store that is new for each sample would prepare them while the clock runs.
            _ = try session.statement(.beginWriting)
            _ = try session.statement(.insertBatch)
            _ = try session.statement(.importBatch)
            _ = try session.statement(.commit)
        }

        func close() {
            session.connection.close()
        }

        /// One trip.
        func insert(_ entries: [ImportedEntry]) throws {
            try write(entries, by: .insertBatch)
        }

        /// One trip: the server looks for the codes.
        func importEntries(_ entries: [ImportedEntry]) throws {
            try write(entries, by: .importBatch)
        }

        func stageNew(_ entries: [ImportedEntry]) {
            staged = .new(entries)
        }

        func stageValues(of entries: [ImportedEntry]) throws {
            var values: [Int64: Int] = [:]
            for stored in try self.entries() { values[stored.id] = stored.amount }
            staged = .values(entries.map { (entry: $0, before: values[$0.id] ?? 0) })
        }

        /// One trip for new entries; two for values, as conflicts are known before the commit.
        func mergeStaged() throws {
            switch staged {
            case .nothing: return
            case .new(let entries): try write(entries, by: .insertBatch)
            case .values(let changes): try merge(changes)
            }
        }

        func entries() throws -> [ImportedEntry] {
            let answer: LibpqAnswer = try session.ask(.selectAll)
            return answer.rows { (answer: LibpqAnswer, row: Int32) -> ImportedEntry in
                ImportedEntry(
                    id: answer.integer(row, 0), code: answer.text(row, 1), amount: Int(answer.integer(row, 2))
                )
            }
        }

        private func write(_ entries: [ImportedEntry], by query: EntryStatement) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let statement: LibpqStatement = try session.statement(query)
            let commit: LibpqStatement = try session.statement(.commit)
            try connection.send(begin)
            try connection.sendBatches(statement, count: entries.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(entries: entries, in: range)
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        private func merge(_ changes: [(entry: ImportedEntry, before: Int)]) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let update: LibpqStatement = try session.statement(.mergeBatch)
            let commit: LibpqStatement = try session.statement(.commit)
            try connection.send(begin)
            try connection.sendBatches(update, count: changes.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.appendList(range) { changes[$0].entry.id }
                parameters.appendList(range) { Int64(changes[$0].before) }
                parameters.appendList(range) { Int64(changes[$0].entry.amount) }
            }
            var changed = 0
            for answer in try connection.perform().dropFirst() { changed += answer.changedCount }
            guard changed == changes.count else {
                throw WrongAnswer(asked: "a merge", expected: changes.count, found: changed)
            }
            try connection.send(commit)
            _ = try connection.perform()
        }
    }

    extension LibpqParameters {
        /// Appends a list for each column.
        fileprivate mutating func append(entries: [ImportedEntry], in range: Range<Int>) {
            appendList(range) { entries[$0].id }
            appendList(range) { entries[$0].code }
            appendList(range) { Int64(entries[$0].amount) }
        }
    }

    /// The table of entries on a server, and the statements that raw libpq runs on it.
    enum EntryStatement: LibpqQuery {
        case begin
        case beginWriting
        case commit
        case insertBatch
        case importBatch
        case mergeBatch
        case selectAll

        static let creation: [String] = [
            """
            CREATE TABLE entry (
                id bigint PRIMARY KEY, code text COLLATE "C" NOT NULL, value bigint NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX entryByCode ON entry (code)",
        ]

        var sql: String {
            let insert = "INSERT INTO entry (id, code, value) SELECT * FROM unnest($1, $2, $3)"
            switch self {
            case .begin: return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWriting: return "BEGIN"
            case .commit: return "COMMIT"
            case .insertBatch: return insert
            case .importBatch: return "\(insert) ON CONFLICT (code) DO UPDATE SET value = excluded.value"
            case .mergeBatch:
                return """
                    UPDATE entry SET value = x.after FROM unnest($1, $2, $3) AS x (id, before, after) \
                    WHERE entry.id = x.id AND entry.value = x.before
                    """
            case .selectAll: return "SELECT id, code, value FROM entry ORDER BY id"
            }
        }

        var types: [UInt32] {
            switch self {
            case .begin, .beginWriting, .commit, .selectAll: return []
            case .insertBatch, .importBatch:
                return [LibpqType.integers, LibpqType.texts, LibpqType.integers]
            case .mergeBatch: return [LibpqType.integers, LibpqType.integers, LibpqType.integers]
            }
        }
    }
#endif
