import Foundation

/// A workload that asks something of a store of restaurants.
protocol StoreWorkload: StoreTask where AnyStore == any Contender {
    var storeOptions: StoreOptions { get }

    /// Compares the answers of a contender with the dataset's; throws on the first difference.
    func check<Store: Contender>(_ store: Store, _ load: Load) throws

    /// Runs the workload once; answers its figure per operation.
    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double
}

extension StoreWorkload {
    var storeOptions: StoreOptions { StoreOptions() }

    func makeStore(of contender: ContenderName, in folder: URL) throws -> any Contender {
        try contender.makeContender(in: folder, options: storeOptions)
    }

    func fill(_ store: any Contender, in setting: Setting) throws {
        try store.fill(from: setting.dataset)
    }

    func check(_ store: any Contender, operations: Int, in setting: Setting) throws {
        try check(store, load(of: operations, in: setting))
    }

    func sample(_ store: any Contender, operations: Int, in setting: Setting) throws -> Double {
        try sample(store, load(of: operations, in: setting))
    }

    func close(_ store: any Contender) throws {
        try store.close()
    }

    private func load(of count: Int, in setting: Setting) -> Load {
        Load(dataset: setting.dataset, count: count, time: setting.sampleTime)
    }
}

/// What one sample asks: so many operations on the dataset.
struct Load {
    let dataset: Dataset
    let count: Int
    /// For samples that last a time instead of a count.
    let time: Duration

    /// From the start again where there are more operations than items.
    var ids: [Int64] { repeating(dataset.ids) }
    var names: [String] { repeating(dataset.names) }
    /// No id comes twice.
    var distinctIDs: [Int64] { Array(dataset.distinctIDs.prefix(count)) }

    private func repeating<Question>(_ questions: [Question]) -> [Question] {
        (0..<count).map { questions[$0 % questions.count] }
    }

    func records<Record: RestaurantRecord>(as type: Record.Type) -> [Record] {
        let all = dataset.records(as: type)
        return count == all.count ? all : Array(all.prefix(count))
    }

    /// Bounds which about one in a hundred restaurants is rated above.
    var highRatings: [Double] {
        (0..<count).map { 4.95 + Double($0 % 16) * 0.0001 }
    }

    func pages(limit: Int, isDescending: Bool) -> [Page] {
        let offset = min(1000, dataset.restaurants.count / 2)
        return (0..<count).map { Page(offset: offset + $0 % 16, limit: limit, isDescending: isDescending) }
    }

    /// The nanoseconds that each operation takes when `work` does all of them.
    func nanosecondsPerOperation(_ work: () throws -> Void) rethrows -> Double {
        try nanoseconds(work) / Double(count)
    }
}
