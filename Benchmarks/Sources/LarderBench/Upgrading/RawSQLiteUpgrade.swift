import Foundation

/// SQLite's own procedure for a changed table, in one transaction, on the file that Larder has made.
struct RawSQLiteUpgrade: UpgradeContender {
    let original: URL

    func upgrade(_ file: URL, by work: UpgradeWork) throws {
        let connection = try SQLiteConnection<UpgradeQuery>(
            path: file.path, settings: .asLarder.with(.normal))
        let attributes = work.attributes()
        let columns = attributes.map { ", \($0.name) \($0.sqlType)" }.joined()
        let names = attributes.map { ", \($0.name)" }.joined()
        let sources = attributes.map { ", \($0.source)" }.joined()
        try connection.inTransaction(.beginWriting) {
            try connection.execute("CREATE TABLE changed (id INTEGER PRIMARY KEY NOT NULL\(columns)) STRICT")
            try connection.execute("INSERT INTO changed (id\(names)) SELECT id\(sources) FROM Recipe")
            try connection.execute("DROP TABLE Recipe")
            try connection.execute("ALTER TABLE changed RENAME TO Recipe")
            try connection.execute("CREATE UNIQUE INDEX byTitle ON Recipe(\(work.titleName))")
            try connection.execute("CREATE INDEX byKind ON Recipe(kind)")
        }
        try connection.close()
    }

    func answer(in file: URL, after work: UpgradeWork) throws -> UpgradeAnswer {
        let connection = try SQLiteConnection<UpgradeQuery>(path: file.path, settings: .asLarder)
        let statement = try connection.prepare(
            "SELECT count(*), sum(\(work.checkedName)), sum(length(\(work.titleName))) FROM Recipe")
        _ = try statement.step()
        let answer = UpgradeAnswer(
            rows: Int(statement.integer(at: 0)), sum: statement.integer(at: 1),
            titleBytes: Int(statement.integer(at: 2)))
        statement.reset()
        try connection.close()
        return answer
    }
}

/// The statements around the change.
private enum UpgradeQuery: SQLiteQuery {
    case begin
    case beginWriting
    case commit

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        }
    }
}
