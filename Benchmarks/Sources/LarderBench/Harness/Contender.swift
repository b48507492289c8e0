/// One storage layer under test: made in a folder of its own, filled once, asked for the workloads.
///
/// Whole loops are asked for, never single operations, so that the harness adds one call per workload to what
/// is timed. Every record that is found goes to `visit`, which compares it or throws it into a black hole.
protocol Contender: RestaurantReading, RestaurantWriting {
    /// The same open store for one more thread; may be the same object.
    ///
    /// *Rule:* closed before the store itself when it is another object.
    func forAnotherThread() throws -> Self

    /// *Rule:* nothing but `reopen` is called afterwards.
    func close() throws

    /// Opens the closed store again, and sees that it holds the tables it should.
    func reopen() throws
}

/// What every contender has: a form of its own for a restaurant.
protocol RestaurantStore: AnyObject, SendableMetatype {
    associatedtype Record: RestaurantRecord
}

/// What is written.
///
/// Each call is one write transaction where its name does not say otherwise.
protocol RestaurantWriting: RestaurantStore {
    func insertInOneTransaction(_ records: [Record]) throws

    /// Inserts every record in a write transaction of its own.
    func insertOneByOne(_ records: [Record]) throws

    /// Inserts every record as a write of its own, all given at once, so that writes may share a commit.
    func insertInGroups(_ records: [Record]) throws

    /// Reads each restaurant and changes two attributes of it, as ``Restaurant/mirror()`` does.
    func mirror(ids: [Int64]) throws

    func delete(_ records: [Record]) throws
}

extension RestaurantWriting {
    /// For layers that have no group commit.
    func insertInGroups(_ records: [Record]) throws {
        try insertOneByOne(records)
    }
}

/// What is asked.
///
/// Each call is one read transaction where its name does not say otherwise.
protocol RestaurantReading: RestaurantStore {
    /// What does not exist is visited as nil.
    func readInOneTransaction(ids: [Int64], visit: (Record?) -> Void) throws

    /// Each id in a read transaction of its own; what does not exist is visited as nil.
    func readOneByOne(ids: [Int64], visit: (Record?) -> Void) throws

    /// The same from async code, as the layer offers it there.
    func readFromAsyncCode(ids: [Int64], visit: (Record?) -> Void) async throws

    /// The whole table in an array.
    func scan() throws -> [Record]

    /// The whole table, one record at a time.
    func stream(_ visit: (Record) -> Void) throws

    /// All records of each name in turn.
    func lookUp(names: [String], visit: ([Record]) -> Void) throws

    /// All records rated above each bound in turn.
    func find(ratedAbove bounds: [Double], visit: ([Record]) -> Void) throws

    /// How many are rated above each bound in turn.
    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws

    /// What is computed of all records.
    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer

    /// Each page in turn.
    func show(_ pages: [Page], visit: ([Record]) -> Void) throws
}

extension RestaurantReading {
    /// For layers whose read is an ordinary call wherever it comes from.
    func readFromAsyncCode(ids: [Int64], visit: (Record?) -> Void) async throws {
        try readOneByOne(ids: ids, visit: visit)
    }
}

/// A window on all restaurants in the order of their ratings, ties by id.
struct Page: Sendable {
    let offset: Int
    let limit: Int
    let isDescending: Bool
}
