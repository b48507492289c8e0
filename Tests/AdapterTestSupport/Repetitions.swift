import Foundation

/// How often tests repeat what only gets more certain with repetition: random data, kills, processes.
///
/// `LARDER_LONG` asks for the long runs, and says after how many minutes each of them ends. `LARDER_SANITIZER` (`thread` or `address`, set by `make test-tsan`
/// and `make test-asan`) says that everything takes many times as long, so that an eighth is done.
enum Repetitions {
    /// How long each repeated test goes on in the long runs; nil if they were not asked for.
    private static let limit = ProcessInfo.variable("LARDER_LONG").map {
        Duration.seconds(60 * (Double($0) ?? 1))
    }

    /// Whether the long runs were asked for.
    static let isLong = limit != nil
    /// The sanitizer the tests run under, as the Makefile says.
    static let sanitizer = ProcessInfo.variable("LARDER_SANITIZER")

    /// The time after which a case of the conformance kit counts as hanging: far beyond what it takes on a loaded machine.
    static let secondsForACase = sanitizer == nil ? 300.0 : 600

    /// A number of repetitions, scaled, and printed where it is not the usual one.
    ///
    /// - Parameters:
    ///   - usual: How many there are in `make test`.
    ///   - long: How many there are in `make test-long`.
    static func count(_ usual: Int, long: Int, _ test: String = #fileID) -> Int {
        if isLong { return long }
        guard let sanitizer else { return usual }
        let scaled = max(1, usual / 8)
        print("\(test): \(scaled) of \(usual) rounds, as the \(sanitizer) sanitizer is slow")
        return scaled
    }
    /// The numbers from 0 on, one for each repetition.
    ///
    /// A long run ends early when its time is over, and says so.
    ///
    /// - Parameters:
    ///   - usual: How many there are in `make test`.
    ///   - long: How many there are at most in `make test-long`.
    static func rounds(_ usual: Int, long: Int, _ test: String = #fileID) -> some Sequence<Int> {
        let count = count(usual, long: long, test)
        let end = limit.map { ContinuousClock.now + $0 }
        return (0..<count).lazy.prefix { round in
            guard round > 0, let end, ContinuousClock.now >= end else { return true }
            print("\(test): \(round) of \(count) rounds in the time of LARDER_LONG")
            return false
        }
    }
}
