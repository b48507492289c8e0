import LarderKernel
import LarderSQL

/// A transaction whose requests run on a session.
protocol SessionReading: SQLReading {
    var session: SQLiteSession { get }

    /// Runs a request on the session, with the checks of the transaction around it.
    func attempt<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result

    /// Lends the connection to code of the app, whose result is returned.
    ///
    /// - Throws: An error if the transaction has ended.
    func lendConnection<Value>(
        _ body: (OpaquePointer) throws -> Value
    ) throws(DataStoreError) -> Result<Value, any Error>
}

extension SessionReading {
    func lendConnection<Value>(
        _ body: (OpaquePointer) throws -> Value
    ) throws(DataStoreError) -> Result<Value, any Error> {
        try attempt { session throws(DataStoreError) in try session.lendConnection(body) }
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try attempt { session throws(DataStoreError) in
            try session.row(at: identifier, of: entity, into: cells)
        }
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in
            try session.forEachRow(at: identifiers, of: entity, into: cells, body)
        }
    }

    func runsWhole(_ plan: RequestPlan) -> Bool { session.runsWhole(plan) }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try attempt { session throws(DataStoreError) in try session.rows(for: plan) }
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try attempt { session throws(DataStoreError) in try session.count(for: plan) }
    }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        try attempt { session throws(DataStoreError) in try session.groups(for: plan) }
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        try attempt { session throws(DataStoreError) in try session.explain(plan) }
    }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        try attempt { session throws(DataStoreError) in try session.explain(plan) }
    }

    func beginAgain() throws(DataStoreError) -> Bool { false }

    func catalog() throws(DataStoreError) -> SQLCatalog { session.catalog }

    func run(_ statement: SQLStatement, _ body: SQLRowBody) throws(DataStoreError) -> Int {
        try attempt { session throws(DataStoreError) in try session.run(statement, body) }
    }
}
