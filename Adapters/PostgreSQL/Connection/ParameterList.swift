#if PostgreSQL
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID

    /// The values for the parameters of one run of a statement, in their binary form, with their types.
    ///
    /// *Cost:* one buffer for all values, which keeps its memory from one run to the next.
    final class ParameterList {
        // Unchecked, here and below, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
        /// The number of each value's type, and its bytes; nil for a value that is nil.
        @exclusivity(unchecked) private var values: [(type: UInt32, range: Range<Int>?)]

        /// - Parameter count: The number of values that are set by their numbers.
        init(count: Int = 0) {
            values = Array(repeating: (type: 0, range: nil), count: count)
        }

        var count: Int { values.count }

        /// The numbers of the values' types.
        var types: [UInt32] { values.map { $0.type } }

        func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
        }

        func append(_ cell: Cell, as storage: AttributeType.Storage) {
            let type = storage.serverType.number
            if cell.isNull { return values.append((type, nil)) }
            append(type) { WireValue.append(cell, as: storage, to: &$0) }
        }

        func append(_ number: Int) {
            append(WireValue.bigint) { WireValue.append(Int64(number), to: &$0) }
        }

        func append(_ number: Int32) { append(WireValue.int) { WireValue.append(number, to: &$0) } }

        func append(_ identity: UUID) {
            append(WireValue.uuid) { bytes in
                withUnsafeBytes(of: identity.uuid) { bytes.append(contentsOf: $0) }
            }
        }

        /// Appends a name, or another text of the store's own, as the server has it.
        func append(name text: String) { append(WireValue.text) { $0 += text.utf8 } }

        /// Appends several of them as one value.
        func append(names: [String]) {
            appendList(count: names.count, as: .text, inFormOf: .blob) { position, body in
                names[position].withBytes { body(.blob($0)) }
            }
        }

        /// Appends a value of a type, of which a body writes the bytes.
        func append(_ type: UInt32, _ write: (inout [UInt8]) -> Void) {
            let start = bytes.count
            write(&bytes)
            values.append((type, start..<bytes.count))
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
            append(storage.serverType.listNumber) { bytes in
                let start = bytes.count
                WireValue.append(Int32(count == 0 ? 0 : 1), to: &bytes)
                WireValue.append(Int32(0), to: &bytes)
                WireValue.append(Int32(storage.serverType.number), to: &bytes)
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

        /// Calls a body with the addresses and the lengths of the values, as libpq takes them.
        func withPointers<Result>(
            _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) ->
                Result
        ) -> Result {
            bytes.withUnsafeBytes { memory in
                let addresses = values.map { value -> UnsafePointer<CChar>? in
                    guard let range = value.range else { return nil }
                    // An empty value has an address too: without one it would be nil.
                    guard let start = memory.baseAddress else { return UnsafePointer(bitPattern: 16) }
                    return (start + range.lowerBound).assumingMemoryBound(to: CChar.self)
                }
                let lengths = values.map { Int32(clamping: $0.range?.count ?? 0) }
                let formats = [Int32](repeating: 1, count: count)
                return addresses.withUnsafeBufferPointer { addresses in
                    lengths.withUnsafeBufferPointer { lengths in
                        formats.withUnsafeBufferPointer { formats in
                            body(addresses.baseAddress, lengths.baseAddress, formats.baseAddress)
                        }
                    }
                }
            }
        }
    }

    extension ParameterList: SQLParameterBinder {
        func bind(_ constant: Constant, as storage: AttributeType.Storage, at number: Int) {
            constant.withCell { append($0, as: storage) }
            setLast(at: number)
        }

        func bind(_ count: Int, at number: Int) {
            append(count)
            setLast(at: number)
        }

        func bind(list constants: [Constant], as storage: AttributeType.Storage, at number: Int) {
            appendList(count: constants.count, as: storage) { position, body in
                constants[position].withCell(body)
            }
            setLast(at: number)
        }

        func bind(endOfTextsBeginningWith prefix: Constant, at number: Int) {
            prefix.withCell { cell in
                append(WireValue.text) { bytes in
                    ServerText.append(cell.bytes, to: &bytes)
                    bytes += ServerText.highest
                }
            }
            setLast(at: number)
        }

        // The dialect has no words for either.
        func bind(_ pattern: PatternTest, at number: Int) {}

        func bind(_ predicate: RowPredicate, of entity: EntitySchema, at number: Int) {}

        /// Sets the value with a number, from 1, to the one that was appended last.
        private func setLast(at number: Int) { values[number - 1] = values.removeLast() }
    }
#endif
