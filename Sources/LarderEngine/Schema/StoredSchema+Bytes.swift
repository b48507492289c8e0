public import Foundation
public import LarderKernel

extension StoredSchema {
    /// The schema as the bytes that are stored.
    public func encoded() -> Data {
        var writer = JSONWriter(capacity: 1024)
        write(to: &writer)
        return Data(writer.bytes)
    }

    /// The schema in stored bytes, checked as a whole.
    ///
    /// - Throws: `.damaged` if the bytes hold no schema, or an inconsistent one.
    public init(decoding bytes: some ContiguousBytes) throws(DataStoreError) {
        let schema = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONReader.Failure) in try JSONReader.read(StoredSchema.self, in: bytes) }
        }
        do {
            self = try schema.get()
        } catch {
            throw DataStoreError(.damaged, "The schema kept in the store cannot be read: \(error).")
        }
        try requireSound()
    }
}
