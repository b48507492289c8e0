import Foundation

/// How often tests repeat what only gets more certain with repetition: random data, kills, processes.
///
/// `LARDER_LONG` asks for the long runs. `LARDER_SANITIZER` (`thread` or `address`, set by `make test-tsan`
/// and `make test-asan`) says that everything takes many times as long, so that an eighth is done.
enum Repetitions {
    /// Whether the long runs were asked for.
    static let isLong = ProcessInfo.variable("LARDER_LONG") != nil
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
}
