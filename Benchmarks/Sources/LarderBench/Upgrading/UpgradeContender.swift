import Foundation

/// A way to bring a file of the first version to the second.
protocol UpgradeContender {
    /// The file of the first version; each upgrade gets a copy.
    var original: URL { get }

    /// Brings a copy to the second version and closes it.
    func upgrade(_ file: URL, by work: UpgradeWork) throws

    /// Reads an upgraded copy.
    func answer(in file: URL, after work: UpgradeWork) throws -> UpgradeAnswer
}

/// What an upgraded file holds.
struct UpgradeAnswer: Equatable {
    var rows = 0
    var sum: Int64 = 0
    var titleBytes = 0
}

/// The time of one upgrade, in nanoseconds.
struct UpgradeTime {
    let elapsed: Double
    let processor: Double

    static func measure(_ body: () throws -> Void) throws -> UpgradeTime {
        let processor = Stopwatch.processorTime
        let start = ContinuousClock.now
        try body()
        return UpgradeTime(
            elapsed: (ContinuousClock.now - start) / .nanoseconds(1),
            processor: Double(Stopwatch.processorTime - processor))
    }
}

/// How Larder upgrades a file.
enum UpgradePlace: String, CaseIterable {
    case inPlace = "in place"
    case copying = "in a copy"
}

/// The engines with a raw API to compare with.
enum UpgradeEngine: String, CaseIterable {
    case sqlite
    case lmdb
}
