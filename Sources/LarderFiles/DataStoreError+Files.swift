import Larder

extension DataStoreError {
    /// The same error with another path, for one that is about a temporary file.
    func naming(_ path: String) -> DataStoreError {
        DataStoreError(
            code, message, advice: advice, itemType: itemType, attribute: attribute, identifier: identifier,
            request: request, path: path, underlying: underlying)
    }
}
