/// A list whose first element costs no allocation, for what mostly has one.
struct ShortList<Element> {
    private var first: Element?
    private var others: [Element] = []

    var isEmpty: Bool { first == nil }

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

    @inline(__always)
    func forEach(_ body: (Element) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }

    @inline(__always)
    var count: Int { (first == nil ? 0 : 1) + others.count }

    func contains(where isMatch: (Element) -> Bool) -> Bool {
        (first.map(isMatch) ?? false) || others.contains(where: isMatch)
    }
}

extension ShortList: Sendable where Element: Sendable {}
