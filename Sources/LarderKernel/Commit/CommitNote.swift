/// The regions that a commit has touched, by the origins of its blocks.
package struct CommitNote: Sendable {
    package struct Part: Sendable {
        package let origin: WriteOrigin?
        /// Nil if it is not known.
        package fileprivate(set) var touched: CommittedRegion?
    }

    // Only the names of the origins are kept of a long list, which collects during a long wait.
    private static let maximumParts = 64

    /// One for each origin.
    package private(set) var parts = ShortList<Part>()

    package init() {}

    package init(from origin: WriteOrigin?, touching touched: CommittedRegion?) {
        parts.append(Part(origin: origin, touched: touched))
    }

    package mutating func add(_ other: CommitNote) {
        other.parts.forEach { add($0.touched, from: $0.origin) }
    }

    package mutating func add(_ touched: CommittedRegion?, from origin: WriteOrigin?) {
        let isKnown = parts.change(where: { $0.origin == origin }) { part in
            if let touched { part.touched?.formUnion(touched) } else { part.touched = nil }
        }
        if isKnown { return }
        parts.append(Part(origin: origin, touched: parts.count < Self.maximumParts ? touched : nil))
    }
}
