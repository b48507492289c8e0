import LarderKernel
import LarderEngine

/// The names in a JSON Lines file of Larder's; `Documentation/Transfer.md` describes the format.
enum JSONLines {
    static let format = "larder-items"
    /// The newest version of the format; lines without relationships have the first.
    static let version = 2

    /// The name of the source in a store that was filled from such a file.
    static let source = StoreReference(engine: "JSON Lines")
}

extension JSONWriter {
    /// The last line: how many items there were, and their digests.
    mutating func append(endWith digests: [EntityDigest], items: Int) {
        append("{\"end\":{\"items\":\(items),\"digests\":")
        digests.write(to: &self)
        append("}}\n")
    }
}
