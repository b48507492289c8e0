import LarderKernel

/// The ranges of keys that a request reads of an index, in ascending order; no key lies in two of them.
///
/// *Rule:* used by one thread. Its ranges are valid until it is filled again, in the same memory.
final class KeyRanges {
    private let parts: [KeyPart]
    private let identifier: IdentifierForm
    private let leading: [IndexScan.Leading]
    private let span: ColumnSpan?
    /// The ends of all ranges, one after the other.
    private let bytes = ByteBuffer()
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var ranges: [Ends] = []
    /// True if a value is too long for the keys, so that rows have to be tested by their own values.
    @exclusivity(unchecked) private(set) var isTruncated = false

    /// The places of the first key and of the first one after the range; nil for the end of the table.
    private struct Ends {
        let lower: Range<Int>
        let upper: Range<Int>?
    }

    init(of scan: IndexScan) {
        parts = scan.index.form.parts
        identifier = scan.index.form.identifier
        leading = scan.leading
        span = scan.span
    }

    var count: Int { ranges.count }

    /// The bytes before which no key of a range comes; empty if the range begins with the table.
    func lower(at position: Int) -> UnsafeRawBufferPointer {
        bytes[ranges[position].lower]
    }

    /// The first bytes after all keys of a range; nil if the range ends with the table.
    func upper(at position: Int) -> UnsafeRawBufferPointer? {
        ranges[position].upper.map { bytes[$0] }
    }

    /// Makes the ranges for the values in a predicate.
    func fill(with predicate: RowPredicate) {
        reset()
        isTruncated = false
        addRanges(after: 0, from: 0, predicate)
        if ranges.count > 1 { sort() }
    }

    /// Releases memory that only a long list has needed.
    func reset() {
        bytes.reset()
        if ranges.count == 1 {
            ranges.removeLast()
        } else if !ranges.isEmpty {
            ranges.removeAll(keepingCapacity: ranges.capacity <= 64)
        }
    }

    /// Adds the ranges of all keys whose leading columns are written from `start` on.
    private func addRanges(after columns: Int, from start: Int, _ predicate: RowPredicate) {
        guard columns < leading.count else { return addRange(from: start, predicate) }
        let part = parts[columns]
        let beginning = start..<bytes.count
        var isFirst = true
        predicate.forEachValue(of: leading[columns].condition) { value in
            // Each further value is written after a copy of the columns before it.
            let start = isFirst ? start : bytes.count
            if !isFirst { bytes.append(copyOf: beginning) }
            isFirst = false
            _ = append(value, as: part)
            addRanges(after: columns + 1, from: start, predicate)
        }
    }

    /// Adds the range of the keys that begin with what is written from `start` on and lie in the span.
    ///
    /// Values that are truncated if an end of the span is truncated too are in the range, as they may be
    /// in the span.
    private func addRange(from start: Int, _ predicate: RowPredicate) {
        let beginning = start..<bytes.count
        guard let span else { return addRange(beginningWith: beginning) }
        guard leading.count < parts.count else {
            return addRange(ofIdentifiers: span, beginningWith: beginning, predicate)
        }
        let part = parts[leading.count]
        if let prefix = span.prefix {
            // Longer texts have more bytes where this one has its end mark of two bytes.
            if append(prefix, of: predicate, as: part) { bytes.truncate(to: bytes.count - 2) }
            return addRange(beginningWith: start..<bytes.count)
        }
        let lowerStart = bytes.count
        bytes.append(copyOf: beginning)
        if let bound = span.lower {
            let isWhole = append(bound, of: predicate, as: part)
            if !bound.isIncluded, isWhole { bytes.moveToEndOfKeys(from: lowerStart) }
        } else {
            bytes.append(KeyPart.Mark.value)
        }
        let lower = lowerStart..<bytes.count
        bytes.append(copyOf: beginning)
        if let bound = span.upper {
            let isWhole = append(bound, of: predicate, as: part)
            if bound.isIncluded || !isWhole { bytes.moveToEndOfKeys(from: lower.upperBound) }
        } else {
            bytes.append(KeyPart.Mark.value)
            bytes.moveToEndOfKeys(from: lower.upperBound)
        }
        ranges.append(Ends(lower: lower, upper: lower.upperBound..<bytes.count))
    }

    /// Adds the range of the keys that begin with the values of all columns, and whose identifier lies in a span.
    private func addRange(
        ofIdentifiers span: ColumnSpan, beginningWith beginning: Range<Int>, _ predicate: RowPredicate
    ) {
        let lowerStart = bytes.count
        bytes.append(copyOf: beginning)
        if let bound = span.lower, append(bound, of: predicate), !bound.isIncluded, !span.keepsLowerEnd {
            bytes.moveToEndOfKeys(from: lowerStart)
        }
        let lower = lowerStart..<bytes.count
        bytes.append(copyOf: beginning)
        if let bound = span.upper, append(bound, of: predicate) {
            if bound.isIncluded { bytes.moveToEndOfKeys(from: lower.upperBound) }
        } else {
            bytes.moveToEndOfKeys(from: lower.upperBound)
        }
        ranges.append(Ends(lower: lower, upper: lower.upperBound..<bytes.count))
    }

    /// Appends the identifier of a bound; returns false for one that no key can have, and leaves it to be tested.
    private func append(_ bound: ColumnSpan.Bound, of predicate: RowPredicate) -> Bool {
        var isKey = false
        predicate.forEachValue(of: bound.condition) { value in
            value.withCell { cell in
                isKey = identifier.accepts(cell)
                if isKey { identifier.append(cell, to: bytes) }
            }
        }
        if !isKey { isTruncated = true }
        return isKey
    }

    private func addRange(beginningWith beginning: Range<Int>) {
        let start = bytes.count
        bytes.append(copyOf: beginning)
        bytes.moveToEndOfKeys(from: start)
        let hasEnd = bytes.count > start
        ranges.append(Ends(lower: beginning, upper: hasEnd ? start..<bytes.count : nil))
    }

    private func append(_ bound: ColumnSpan.Bound, of predicate: RowPredicate, as part: KeyPart) -> Bool {
        var isWhole = true
        predicate.forEachValue(of: bound.condition) { isWhole = append($0, as: part) }
        return isWhole
    }

    /// Appends a value and returns false if it is truncated.
    private func append(_ value: Constant, as part: KeyPart) -> Bool {
        let isWhole = value.withCell { part.append($0, to: bytes) } == .whole
        if !isWhole { isTruncated = true }
        return isWhole
    }

    private func sort() {
        ranges.sort { bytes[$0.lower].order(to: bytes[$1.lower]) < 0 }
        // Texts that are truncated at the same place begin alike.
        var previous: Range<Int>?
        ranges.removeAll { range in
            defer { previous = range.lower }
            return previous.map { bytes[$0].isEqual(to: bytes[range.lower]) } ?? false
        }
    }
}
