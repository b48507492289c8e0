package import LarderKernel

extension DataStoreError {
    /// The error for a store that the item types do not fit.
    package static func mismatch(_ differences: [SchemaDifference]) -> DataStoreError {
        let only = differences.count == 1 ? differences.first : nil
        return DataStoreError(
            .schemaMismatch,
            "The store does not fit the app's item types: "
                + differences.map(\.message).joined(separator: "; ") + ".",
            advice: differences.map(\.advice).joined(separator: " "), itemType: only?.itemType,
            attribute: only?.attribute
        ).listing(differences).leavingNoWay()
    }
}
