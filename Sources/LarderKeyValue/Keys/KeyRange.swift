import Larder

/// The keys from one that is included up to one that is not; nil for the end of the table.
struct KeyRange: Equatable {
    let lower: [UInt8]
    let upper: [UInt8]?

    init(from lower: [UInt8], upTo upper: [UInt8]?) {
        self.lower = lower
        self.upper = upper
    }

    /// All keys that begin like this.
    init(beginningWith bytes: [UInt8]) {
        self.init(from: bytes, upTo: Self.end(ofKeysBeginningWith: bytes))
    }

    /// The first bytes behind all keys that begin like this; nil where no bytes are.
    static func end(ofKeysBeginningWith bytes: [UInt8]) -> [UInt8]? {
        var end = bytes
        while let last = end.popLast() {
            guard last < .max else { continue }
            end.append(last + 1)
            return end
        }
        return nil
    }
}

extension IndexKeyForm {
    /// The keys of a part of an index, in ascending order; no key lies in two of them.
    func ranges(of scan: IndexScan) -> [KeyRange] {
        let key = ByteBuffer()
        var beginnings: [[UInt8]] = []
        addBeginnings(with: scan.leading[...], behind: key, to: &beginnings)
        if beginnings.count > 1 {
            beginnings.sort { $0.lexicographicallyPrecedes($1) }
            // Texts that are cut at the same place begin alike.
            var previous: [UInt8]?
            beginnings.removeAll { beginning in
                defer { previous = beginning }
                return previous == beginning
            }
        }
        guard let span = scan.span else { return beginnings.map { KeyRange(beginningWith: $0) } }
        let part = parts[scan.leading.count]
        return beginnings.map { part.range(of: span, behind: $0) }
    }

    /// Adds the beginnings of all keys that have one of these values in each leading column.
    private func addBeginnings(
        with columns: ArraySlice<[Constant]>, behind key: ByteBuffer, to beginnings: inout [[UInt8]]
    ) {
        guard let values = columns.first else { return beginnings.append(Array(key.bytes)) }
        let start = key.count
        for value in values {
            key.truncate(to: start)
            value.withCell { _ = parts[columns.startIndex].append($0, to: key) }
            addBeginnings(with: columns.dropFirst(), behind: key, to: &beginnings)
        }
    }
}

extension KeyPart {
    /// The keys whose values in this part lie in a span, behind the values of the parts before it.
    ///
    /// Values that are cut where the end of the span is cut too are in the range, as they may be in the span.
    fileprivate func range(of span: ColumnSpan, behind beginning: [UInt8]) -> KeyRange {
        let key = ByteBuffer()
        func bytes(of value: Constant) -> [UInt8] {
            key.truncate()
            beginning.withUnsafeBytes { key.append($0) }
            value.withCell { _ = append($0, to: key) }
            return Array(key.bytes)
        }
        if let prefix = span.prefix {
            let bytes = bytes(of: prefix.value)
            // Longer texts go on where this one has its end mark of two bytes.
            return KeyRange(beginningWith: keepsWhole(prefix.value) ? Array(bytes.dropLast(2)) : bytes)
        }
        var lower = beginning + [Mark.value]
        var upper = KeyRange.end(ofKeysBeginningWith: lower)
        if let bound = span.lower {
            lower = bytes(of: bound.value)
            if !bound.isIncluded, keepsWhole(bound.value) {
                // Every encoded value has one that follows, as none is made of 255s alone.
                lower = KeyRange.end(ofKeysBeginningWith: lower) ?? lower
            }
        }
        if let bound = span.upper {
            let end = bytes(of: bound.value)
            let isBehind = bound.isIncluded || !keepsWhole(bound.value)
            upper = isBehind ? KeyRange.end(ofKeysBeginningWith: end) : end
        }
        return KeyRange(from: lower, upTo: upper)
    }
}
