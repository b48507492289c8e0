import LarderValues

/// Stored as a decimal number of seconds, to the attosecond.
extension Duration: AttributeValue {
    public static var attributeType: AttributeType { .decimal }

    public static func decode(_ cell: Cell) -> Duration? {
        guard cell.kind == .text else { return nil }
        let text = cell.string
        guard DecimalText.decimal(text) != nil else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard fraction.utf8.count <= 18 else { return nil }
        // With the sign before it is read, as there is one negative number of seconds more.
        let sign = isNegative ? "-" : ""
        let digits = fraction + String(repeating: "0", count: 18 - fraction.utf8.count)
        guard let first = parts.first, let seconds = Int64(sign + first),
            let attoseconds = Int64(sign + digits)
        else { return nil }
        return .seconds(seconds) + attosecond * attoseconds
    }

    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell {
        // The standard library stops the process if the seconds do not fit.
        guard Self.seconds(Int64.min) - .seconds(1) < self, self < Self.seconds(Int64.max) + .seconds(1)
        else {
            throw DataStoreError(
                .invalidValue, "A duration has more seconds than 64 bits hold.",
                advice: "Store a duration of at most 292 billion years.")
        }
        let (seconds, attoseconds) = components
        var text = seconds < 0 || attoseconds < 0 ? "-" : ""
        text += String(seconds.magnitude)
        if attoseconds != 0 {
            let digits = String(attoseconds.magnitude)
            var fraction = String(repeating: "0", count: 18 - digits.utf8.count) + digits
            while fraction.hasSuffix("0") { fraction.removeLast() }
            text += "." + fraction
        }
        return try text.encode(in: arena)
    }

    // Not by the initializer with both components: naming any initializer of Duration makes Swift 6.3 look for
    // `timespec` in another module, and refuse it in the files that use it.
    private static let attosecond = Duration.nanoseconds(1) / 1_000_000_000
}
