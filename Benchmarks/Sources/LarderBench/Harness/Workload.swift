/// A row of the table: something that is measured of several contenders.
protocol Workload: Sendable {
    /// The word for `--workload` and in the JSON.
    var name: String { get }
    var title: String { get }
    var unit: Unit { get }
    /// How many rounds there are in a run of so many: fewer where a figure hardly varies.
    func rounds(inRunOf rounds: Int) -> Int
    var contenders: Set<ContenderName> { get }
    var targets: [Target] { get }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session
}

extension Workload {
    var unit: Unit { .nanoseconds }
    var contenders: Set<ContenderName> { .general }

    func rounds(inRunOf rounds: Int) -> Int { rounds }
}

/// What a figure counts.
enum Unit: String, Codable {
    /// Nanoseconds per operation.
    case nanoseconds = "ns"
    case bytes
    case times
}

/// What is the same for all contenders and workloads of a run.
struct Setting {
    let dataset: Dataset
    let folder: TemporaryFolder
    /// How long one sample of the slowest contender should take, where a workload leaves the count open.
    let sampleTime: Duration
}

/// One contender in one workload.
protocol Session: AnyObject {
    var contender: ContenderName { get }
    /// How many operations a sample may consist of.
    var operations: ClosedRange<Int> { get }

    /// Makes what all rounds need, and compares the contender's answers.
    func prepare() throws

    /// A figure in the workload's unit, per operation.
    func sample(operations: Int) throws -> Double

    func close() throws
}
