#if PostgreSQL
    /// The numbers of types, which are the same on every server.
    enum LibpqType {
        static let bool: UInt32 = 16
        static let integer: UInt32 = 20
        static let text: UInt32 = 25
        static let real: UInt32 = 701
        static let bools: UInt32 = 1000
        static let texts: UInt32 = 1009
        static let integers: UInt32 = 1016
        static let reals: UInt32 = 1022
    }

    /// The values for one run of a statement, in their binary form.
    struct LibpqParameters {
        fileprivate var bytes: [UInt8] = []
        /// The first byte of each value; -1 for nil.
        private var starts: [Int] = []
        private var lengths: [Int32] = []
        private var formats: [Int32] = []
        /// The first byte of the list that is written.
        private var listStart = 0
        fileprivate var listHasNil = false

        /// Keeps the memory for the next run.
        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            starts.removeAll(keepingCapacity: true)
            lengths.removeAll(keepingCapacity: true)
            formats.removeAll(keepingCapacity: true)
        }

        /// Calls a body with the number, the addresses, the lengths and the forms of the values.
        func withPointers(
            _ body: (
                Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
            ) -> Int32
        ) -> Int32 {
            bytes.withUnsafeBytes { (memory: UnsafeRawBufferPointer) -> Int32 in
                var values: [UnsafePointer<CChar>?] = []
                values.reserveCapacity(starts.count)
                for start in starts { values.append(Self.pointer(to: start, in: memory)) }
                return values.withUnsafeBufferPointer { values -> Int32 in
                    lengths.withUnsafeBufferPointer { lengths -> Int32 in
                        formats.withUnsafeBufferPointer { formats -> Int32 in
                            body(
                                Int32(values.count), values.baseAddress, lengths.baseAddress,
                                formats.baseAddress)
                        }
                    }
                }
            }
        }

        private static func pointer(
            to start: Int, in memory: UnsafeRawBufferPointer
        ) -> UnsafePointer<CChar>? {
            guard start >= 0, let base = memory.baseAddress else { return nil }
            return (base + start).assumingMemoryBound(to: CChar.self)
        }

        private mutating func begin() {
            starts.append(bytes.count)
        }

        private mutating func end() {
            lengths.append(Int32(bytes.count - starts[starts.count - 1]))
            formats.append(1)
        }

        fileprivate mutating func write<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    // MARK: Single values

    extension LibpqParameters {
        mutating func append(_ number: Int64) {
            begin()
            write(number)
            end()
        }

        mutating func append(_ number: Double) {
            begin()
            write(number.bitPattern)
            end()
        }

        mutating func append(_ isTrue: Bool) {
            begin()
            bytes.append(isTrue ? 1 : 0)
            end()
        }

        mutating func append(_ text: String) {
            begin()
            bytes.append(contentsOf: text.utf8)
            end()
        }

        mutating func appendNil() {
            starts.append(-1)
            lengths.append(0)
            formats.append(1)
        }
    }

    // MARK: Lists, each of which is one value

    /// A value that knows its type on the server, and its binary form in a list.
    protocol LibpqListValue {
        static var serverType: UInt32 { get }

        /// Writes the length of the value and its bytes.
        func write(to parameters: inout LibpqParameters)
    }

    extension LibpqParameters {
        /// Appends a list of the values that a body returns for places.
        ///
        /// *Cost:* as a loop by hand, in which this is inlined.
        @inline(__always)
        mutating func appendList<Value: LibpqListValue>(_ places: Range<Int>, _ value: (Int) -> Value) {
            beginList(of: Value.serverType, count: places.count)
            for place in places { value(place).write(to: &self) }
            endList()
        }

        /// Begins a list, to which exactly as many values are added before its end.
        ///
        /// *Source:* `array_recv` of the server: the number of dimensions, a flag for nils, the type, the
        /// length, the first index.
        private mutating func beginList(of type: UInt32, count: Int) {
            begin()
            listStart = bytes.count
            listHasNil = false
            write(Int32(count == 0 ? 0 : 1))
            write(Int32(0))
            write(type)
            if count == 0 { return }
            write(Int32(count))
            write(Int32(1))
        }

        private mutating func endList() {
            if listHasNil { bytes[listStart + 7] = 1 }
            end()
        }

        mutating func append(list numbers: ArraySlice<Int64>) {
            appendList(numbers.indices) { numbers[$0] }
        }
    }

    extension Int64: LibpqListValue {
        static var serverType: UInt32 { LibpqType.integer }

        func write(to parameters: inout LibpqParameters) {
            parameters.write(Int32(8))
            parameters.write(self)
        }
    }

    extension Double: LibpqListValue {
        static var serverType: UInt32 { LibpqType.real }

        func write(to parameters: inout LibpqParameters) {
            parameters.write(Int32(8))
            parameters.write(bitPattern)
        }
    }

    extension Bool: LibpqListValue {
        static var serverType: UInt32 { LibpqType.bool }

        func write(to parameters: inout LibpqParameters) {
            parameters.write(Int32(1))
            parameters.bytes.append(self ? 1 : 0)
        }
    }

    extension String: LibpqListValue {
        static var serverType: UInt32 { LibpqType.text }

        func write(to parameters: inout LibpqParameters) {
            parameters.write(Int32(utf8.count))
            parameters.bytes.append(contentsOf: utf8)
        }
    }

    extension Optional: LibpqListValue where Wrapped: LibpqListValue {
        static var serverType: UInt32 { Wrapped.serverType }

        func write(to parameters: inout LibpqParameters) {
            if let self {
                self.write(to: &parameters)
            } else {
                parameters.write(Int32(-1))
                parameters.listHasNil = true
            }
        }
    }
#endif
