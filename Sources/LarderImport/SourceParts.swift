/// Sources that are read from a file or a text while a call takes them: no code of the app runs that may use the block.
///
/// All others are made before the call, so that nothing of the app runs between its parts.
package protocol StreamedSources: Sequence {}

/// The sources of a call, in parts of one size, each of which is read when it is asked for.
struct SourceParts<Sources: Sequence>: Sequence, IteratorProtocol {
    private var iterator: Sources.Iterator
    private let size: Int
    private var isAtEnd = false

    init(_ sources: Sources, size: Int) {
        iterator = sources.makeIterator()
        self.size = Swift.max(1, size)
    }

    mutating func next() -> [Sources.Element]? {
        var part: [Sources.Element] = []
        while !isAtEnd, part.count < size {
            if let source = iterator.next() { part.append(source) } else { isAtEnd = true }
        }
        return part.isEmpty ? nil : part
    }
}
