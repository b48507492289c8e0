import Foundation
import Larder
import LarderTransfer

extension Place {
    /// What is in the store, as JSON Lines.
    func exported() throws -> Data {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        var lines = Data()
        _ = try store.read { reader in
            try JSONLinesExport(of: reader).run { lines += $0 }
        }
        return lines
    }

    /// Makes the store from JSON Lines, with four items a commit.
    ///
    /// - Parameters:
    ///   - length: How many bytes are given at a time.
    ///   - plan: What becomes of the commits.
    ///   - isCancelled: Is asked after every batch.
    ///   - progress: Is called after every batch, before that.
    func importing(
        _ lines: Data, pieces length: Int = 1000, _ plan: CommitPlan = CommitPlan(),
        isCancelled: (@Sendable () -> Bool)? = nil,
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) throws -> StoreTransferReport {
        var rest = lines
        var options = StoreTransferOptions()
        options.itemsPerBatch = 4
        options.isCancelled = isCancelled
        options.progress = progress
        return try JSONLinesImport(into: plan.applied(to: address), options: options).run {
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
    }
}
