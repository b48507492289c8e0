extension Node {
    /// The bytes a value takes in the page.
    static func storedLength(of value: UnsafeRawBufferPointer) -> Int {
        value.count > LargeValue.threshold ? MemoryLayout<LargeValue.Reference>.size : value.count
    }

    /// Calls the body with the bytes to keep in the page: the value, or its address if it is kept elsewhere.
    func withStored<Result>(
        _ value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, _ isLarge: Bool) -> Result
    ) -> Result {
        if value.count <= LargeValue.threshold { return body(value, false) }
        let large = LargeValue(value)
        largeValues.append(large)
        return withUnsafeBytes(of: large.reference) { body($0, true) }
    }

    /// The large values of some entries.
    func owned(_ range: Range<Int>) -> [LargeValue] {
        range.compactMap { index in
            guard page.entries[index].isLarge else { return nil }
            let start = page.value(at: index).baseAddress
            return largeValues.first { $0.bytes.baseAddress == start }
        }
    }

    /// Releases the large values of some entries before they are removed.
    func disown(_ range: Range<Int>) {
        if largeValues.isEmpty { return }
        for index in range { disown(index) }
    }

    /// Releases the large value of an entry before it is removed.
    func disown(_ index: Int) {
        guard page.entries[index].isLarge else { return }
        let start = page.value(at: index).baseAddress
        largeValues.removeAll { $0.bytes.baseAddress == start }
    }
}
