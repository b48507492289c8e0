/// The limits that hold on every engine, so that items can always move (contract rule 10).
public enum DataStoreLimits {
    /// The longest identifier, in bytes of its stored form.
    public static let identifierBytes = 200

    /// Refuses an identifier that some engine could not store.
    @inlinable
    package static func check(identifier: Cell) throws(DataStoreError) {
        if identifier.kind == .text, identifier.length == 0 || identifier.length > identifierBytes {
            throw identifierTooLong(identifier)
        }
    }

    @usableFromInline
    static func identifierTooLong(_ identifier: Cell) -> DataStoreError {
        DataStoreError(
            .identifierTooLong,
            identifier.length == 0
                ? "The identifier is empty."
                : "The identifier has \(identifier.length) bytes; at most \(identifierBytes) fit.",
            identifier: .string(String(identifier.string.prefix(40))))
    }
}
