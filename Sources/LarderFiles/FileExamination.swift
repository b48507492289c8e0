package import LarderKernel

/// Examines a file that other processes may write to at any moment.
package enum FileExamination {
    /// The number of attempts: some 50 ms of them.
    ///
    /// On a busy machine the reader may lose its turn in the middle of each of the first ones.
    private static let attempts = 1000

    /// Reads the state of a file and judges it, until a judgement is settled: no write can have come in between.
    ///
    /// *Rule:* the look measures the file after reading the head, which holds the length: the file has had
    /// this length when the head was written, but perhaps not at an earlier measurement.
    ///
    /// - Parameters:
    ///   - look: Reads the state.
    ///   - judge: Returns the finding, or throws because of it, such as `.damaged`.
    ///   - isSettled: True if the judgement of a look holds; asked after it, with whether it was thrown.
    /// - Throws: Rethrows errors of the parts; `.busy` when no judgement is settled.
    package static func run<Look, Finding>(
        look: () throws(DataStoreError) -> Look, judge: (Look) throws(DataStoreError) -> Finding,
        isSettled: (Look, _ isRefused: Bool) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Finding {
        for _ in 0..<attempts {
            let seen = try look()
            do throws(DataStoreError) {
                let finding = try judge(seen)
                if try isSettled(seen, false) { return finding }
            } catch {
                if try isSettled(seen, true) { throw error }
            }
        }
        throw DataStoreError(.busy, "Other processes kept changing the file while it was checked.")
    }
}
