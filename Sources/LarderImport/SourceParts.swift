/// Sources that are read from a file or a text while a call takes them: no code of the app runs that may use the block.
///
/// All others are made before the call, so that nothing of the app runs between its parts.
package protocol StreamedSources: Sequence {
    /// The bytes that have been read so far.
    var byteCount: Int { get }
}

/// The sources of a call, in parts of one size, each of which is read when it is asked for.
struct SourceParts<Sources: Sequence>: Sequence, IteratorProtocol {
    private var iterator: Sources.Iterator
    private let size: Int
    private let bytes: Int
    private var isAtEnd = false

    /// - Parameter bytes: About the most that the text of a part has, if the sources are streamed.
    init(_ sources: Sources, size: Int, bytes: Int = .max) {
        iterator = sources.makeIterator()
        self.size = Swift.max(1, size)
        self.bytes = bytes
    }

    mutating func next() -> [Sources.Element]? {
        var part: [Sources.Element] = []
        let start = byteCount
        // The bytes of 16 at a time, as each question costs a cast.
        while !isAtEnd, part.count < size, part.count % 16 < 15 || byteCount - start < bytes {
            if let source = iterator.next() { part.append(source) } else { isAtEnd = true }
        }
        return part.isEmpty ? nil : part
    }

    private var byteCount: Int { (iterator as? any StreamedSources)?.byteCount ?? 0 }
}
