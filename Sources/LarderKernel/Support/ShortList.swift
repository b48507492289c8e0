/// A list whose first element costs no allocation, for what mostly has one.
@usableFromInline
package struct ShortList<Element> {
    @usableFromInline package private(set) var first: Element?
    @usableFromInline package private(set) var others: [Element] = []

    package var isEmpty: Bool { first == nil }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    /// Changes the first element that passes a test in place.
    ///
    /// - Returns: True if there is one.
    @inline(__always)
    mutating func change(where isMatch: (Element) -> Bool, _ change: (inout Element) -> Void) -> Bool {
        if let first, !isMatch(first) {
            guard let position = others.firstIndex(where: isMatch) else { return false }
            change(&others[position])
            return true
        }
        // Taken out, so that what it holds is not copied when it is changed.
        guard var element = first.take() else { return false }
        change(&element)
        first = element
        return true
    }

    @inlinable
    package func forEach(_ body: (Element) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }

    @inline(__always)
    var count: Int { (first == nil ? 0 : 1) + others.count }

    @inlinable
    package func contains(where isMatch: (Element) -> Bool) -> Bool {
        (first.map(isMatch) ?? false) || others.contains(where: isMatch)
    }
}

extension ShortList: Sendable where Element: Sendable {}
