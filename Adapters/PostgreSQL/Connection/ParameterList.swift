#if PostgreSQL
    import LarderKernel

    /// The values for the parameters of one run of a statement, in their binary form.
    ///
    /// *Cost:* one buffer for all values, which keeps its memory from one run to the next.
    final class ParameterList {
        // Unchecked, here and below, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) var bytes: [UInt8] = []
        /// The first byte of each value and the one after its last; nil for a value that is nil.
        @exclusivity(unchecked) private var ranges: [Range<Int>?] = []

        var count: Int { ranges.count }

        func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            ranges.removeAll(keepingCapacity: true)
        }

        func append(_ cell: Cell, as storage: AttributeType.Storage) {
            if cell.isNull { return ranges.append(nil) }
            append { WireValue.append(cell, as: storage, to: &$0) }
        }

        func append(_ constant: Constant, as storage: AttributeType.Storage) {
            constant.withCell { append($0, as: storage) }
        }

        func append(_ number: Int) {
            append { WireValue.append(UInt64(bitPattern: Int64(number)), to: &$0) }
        }

        /// Appends a value of which a body writes the bytes.
        func append(_ write: (inout [UInt8]) -> Void) {
            let start = bytes.count
            write(&bytes)
            ranges.append(start..<bytes.count)
        }

        /// Appends a list as one value.
        ///
        /// *Source:* `array_recv` of the server: dimensions, whether there are nils, the type, the length, the first index.
        ///
        /// - Parameter form: The form of the values in the list; nil for the storage's own.
        func appendList(
            count: Int, as storage: AttributeType.Storage, inFormOf form: AttributeType.Storage? = nil,
            _ withCell: (_ position: Int, _ body: (Cell) -> Void) -> Void
        ) {
            append { bytes in
                let start = bytes.count
                WireValue.append(Int32(count == 0 ? 0 : 1), to: &bytes)
                WireValue.append(Int32(0), to: &bytes)
                WireValue.append(Int32(WireValue.type(of: storage)), to: &bytes)
                if count == 0 { return }
                WireValue.append(Int32(clamping: count), to: &bytes)
                WireValue.append(Int32(1), to: &bytes)
                var hasNull = false
                for position in 0..<count {
                    withCell(position) { cell in
                        let place = bytes.count
                        WireValue.append(Int32(cell.isNull ? -1 : 0), to: &bytes)
                        if cell.isNull {
                            hasNull = true
                        } else {
                            WireValue.append(cell, as: form ?? storage, to: &bytes)
                            WireValue.set(Int32(clamping: bytes.count - place - 4), at: place, in: &bytes)
                        }
                    }
                }
                if hasNull { WireValue.set(1, at: start + 4, in: &bytes) }
            }
        }

        /// Appends constants as one value.
        func append(listOf constants: [Constant], as storage: AttributeType.Storage) {
            appendList(count: constants.count, as: storage) { position, body in
                constants[position].withCell(body)
            }
        }

        /// Calls a body with the addresses and the lengths of the values, as libpq takes them.
        func withPointers<Result>(
            _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) ->
                Result
        ) -> Result {
            bytes.withUnsafeBytes { memory in
                let values = ranges.map { range -> UnsafePointer<CChar>? in
                    guard let range else { return nil }
                    // An empty value has an address too: without one it would be nil.
                    guard let start = memory.baseAddress else { return UnsafePointer(bitPattern: 16) }
                    return (start + range.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
                let formats = [Int32](repeating: 1, count: ranges.count)
                return values.withUnsafeBufferPointer { values in
                    lengths.withUnsafeBufferPointer { lengths in
                        formats.withUnsafeBufferPointer { formats in
                            body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                        }
                    }
                }
            }
        }
    }
#endif
