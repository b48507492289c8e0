import LarderKernel

/// The statements that begin and end transactions, prepared once for each connection.
final class TransactionCommands {
    enum Command: Int, CaseIterable {
        case begin, beginWriting, commit, rollBack, setSavepoint, releaseSavepoint, rollBackToSavepoint

        fileprivate var sql: String {
            switch self {
            case .begin: "BEGIN"
            case .beginWriting: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollBack: "ROLLBACK"
            // One name is enough: SQLite goes back to the innermost of the name.
            case .setSavepoint: "SAVEPOINT larder"
            case .releaseSavepoint: "RELEASE larder"
            case .rollBackToSavepoint: "ROLLBACK TO larder"
            }
        }
    }

    private let connection: SQLiteConnection
    private var statements: [SQLiteStatement?] = Array(repeating: nil, count: Command.allCases.count)

    init(connection: SQLiteConnection) {
        self.connection = connection
    }

    func run(_ command: Command) throws(DataStoreError) {
        let statement: SQLiteStatement
        if let prepared = statements[command.rawValue] {
            statement = prepared
        } else {
            statement = try connection.prepareToKeep(command.sql)
            statements[command.rawValue] = statement
        }
        try statement.run()
    }

    /// Ends a transaction without committing it, unless an error has ended it already.
    func rollBackIfNeeded() {
        guard connection.isInTransaction else { return }
        // After a failed rollback SQLite has ended the transaction, or closing the connection will.
        try? run(.rollBack)
    }

    func finalize() {
        for number in statements.indices { statements[number] = nil }
    }
}
