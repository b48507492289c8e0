/// The source that an error of an import is about.
public struct ImportPlace: Sendable, Hashable {
    /// The number of sources before it.
    public let position: Int
    /// The name of its key, for sources with named values; nil if the error is not about one.
    public let key: String?

    public init(position: Int, key: String? = nil) {
        self.position = position
        self.key = key
    }
}
