import LarderKernel
import Testing

/// Runs tests with batches that some hundred items fill several times; the usual ones have 1,000 rows.
struct SmallBatches: SuiteTrait, TestScoping {
    static let size = 256

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await WriteBlock.testedBatchSize.withValue(Self.size) { try await function() }
    }
}

extension Trait where Self == SmallBatches {
    /// See ``SmallBatches``.
    static var smallBatches: Self { SmallBatches() }
}
