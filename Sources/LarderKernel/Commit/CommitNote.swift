/// The regions that a commit has touched, by the origins of its blocks.
struct CommitNote: Sendable {
    struct Part: Sendable {
        let origin: WriteOrigin?
        /// Nil where it is not known.
        var touched: TouchedRegion?
    }

    // Of a long list, as one who waits long may collect, only the names of the origins are kept.
    private static let maximumParts = 64

    /// One for each origin.
    private(set) var parts = ShortList<Part>()

    init() {}

    init(from origin: WriteOrigin?, touching touched: TouchedRegion?) {
        parts.append(Part(origin: origin, touched: touched))
    }

    mutating func add(_ other: CommitNote) {
        other.parts.forEach { add($0.touched, from: $0.origin) }
    }

    mutating func add(_ touched: TouchedRegion?, from origin: WriteOrigin?) {
        let isKnown = parts.change(where: { $0.origin == origin }) { part in
            if let touched { part.touched?.formUnion(touched) } else { part.touched = nil }
        }
        if isKnown { return }
        parts.append(Part(origin: origin, touched: parts.count < Self.maximumParts ? touched : nil))
    }

    /// The same without the blocks that a watcher ignores; nil where none is left.
    func heard(by watcher: Watcher) -> CommitNote? {
        var heard = CommitNote()
        parts.forEach { if watcher.hears($0.origin) { heard.parts.append($0) } }
        return heard.parts.isEmpty ? nil : heard
    }

    /// The origins of the blocks that have, or may have, touched a region.
    func origins(touching region: ReadRegion) -> Set<WriteOrigin?> {
        var origins: Set<WriteOrigin?> = []
        parts.forEach { part in
            if part.touched.map({ region.isTouched(by: $0) }) ?? true { origins.insert(part.origin) }
        }
        return origins
    }
}
