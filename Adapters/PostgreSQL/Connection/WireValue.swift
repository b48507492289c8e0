#if PostgreSQL
    import LarderKernel

    /// The binary form in which a value goes to the server and comes back, for each kind of storage.
    ///
    /// | storage | column | remarks |
    /// |---|---|---|
    /// | integer | `bigint` | |
    /// | unsigned | `bigint` | the highest bit flipped, which keeps the order |
    /// | real | `double precision` | |
    /// | text, JSON | `text COLLATE "C"` | see ``ServerText`` |
    /// | blob | `bytea` | |
    /// | decimal | `numeric` | see ``ServerNumber`` |
    ///
    /// *Source:* the functions `…send` and `…recv` of the PostgreSQL server, whose forms are the same in all versions.
    enum WireValue {
        /// The numbers of types in every server.
        static let bigint: UInt32 = 20
        static let int: UInt32 = 23
        static let text: UInt32 = 25
        static let uuid: UInt32 = 2950

        /// Appends a value that is not nil; the bytes are in the order of the network.
        static func append(_ cell: Cell, as storage: AttributeType.Storage, to bytes: inout [UInt8]) {
            switch storage {
            case .integer: append(cell.bits, to: &bytes)
            case .unsigned: append(cell.bits ^ highestBit, to: &bytes)
            case .real: append(cell.bits, to: &bytes)
            case .text, .json: ServerText.append(cell.bytes, to: &bytes)
            case .blob: bytes.append(contentsOf: cell.bytes)
            case .decimal: ServerNumber.append(cell.bytes, to: &bytes)
            }
        }

        @inline(__always)
        static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }

        /// Replaces the four bytes at a position.
        static func set(_ number: Int32, at position: Int, in bytes: inout [UInt8]) {
            withUnsafeBytes(of: number.bigEndian) { for byte in 0..<4 { bytes[position + byte] = $0[byte] } }
        }

        /// The value in the bytes of a row; nil if they are not of this form.
        ///
        /// - Parameter arena: Memory for values whose form in the cell is another than on the wire.
        static func cell(
            _ bytes: UnsafeRawBufferPointer, as storage: AttributeType.Storage, in arena: RowArena
        ) throws(DataStoreError) -> Cell? {
            switch storage {
            case .integer: return bytes.count == 8 ? .unsigned(bits(in: bytes)) : nil
            case .unsigned: return bytes.count == 8 ? .unsigned(bits(in: bytes) ^ highestBit) : nil
            case .real: return bytes.count == 8 ? .real(Double(bitPattern: bits(in: bytes))) : nil
            case .blob: return .blob(bytes)
            case .text, .json: return .text(try ServerText.text(bytes, in: arena))
            case .decimal:
                guard let text = ServerNumber.text(bytes) else { return nil }
                let copied = try text.withBytes { bytes throws(DataStoreError) in try arena.copy(bytes) }
                return .text(copied)
            }
        }

        @inline(__always)
        static func bits(in bytes: UnsafeRawBufferPointer) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        }

        private static let highestBit = UInt64(1) << 63
    }

    extension AttributeType.Storage {
        /// The type of the server, by its name, and by its number and the number of its lists in every server.
        var serverType: (name: String, number: UInt32, listNumber: UInt32) {
            switch self {
            case .integer, .unsigned: ("bigint", WireValue.bigint, 1016)
            case .real: ("double precision", 701, 1022)
            case .text, .json: ("text", WireValue.text, 1009)
            case .blob: ("bytea", 17, 1001)
            case .decimal: ("numeric", 1700, 1231)
            }
        }
    }

    /// Text as the server keeps it: without U+0000, which it refuses, and with a character above all others.
    ///
    /// Four scalars are written as two: U+0000 as U+0001 U+0001, U+0001 as U+0001 U+0002, U+10FFFE as U+10FFFE U+0001,
    /// and U+10FFFF as U+10FFFE U+0002. No text begins like another one's second half, so that equality, order and
    /// prefixes of the written texts are the ones of the texts. U+10FFFF itself is in no written text: after a prefix it
    /// is the end of all texts with it.
    enum ServerText {
        /// U+10FFFF in UTF-8.
        static let highest: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBF]

        static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
            guard text.contains(where: mayNeedPair) else { return bytes.append(contentsOf: text) }
            var position = 0
            while position < text.count {
                let byte = text[position]
                if byte <= 1 {
                    bytes += [1, byte + 1]
                } else if isHigh(text, at: position) {
                    bytes += [0xF4, 0x8F, 0xBF, 0xBE, text[position + 3] - 0xBD]
                    position += 3
                } else {
                    bytes.append(byte)
                }
                position += 1
            }
        }

        /// The number of bytes that ``append(_:to:)`` writes.
        static func count(of text: UnsafeRawBufferPointer) -> Int {
            text.indices.reduce(text.count) { $0 + (text[$1] <= 1 || isHigh(text, at: $1) ? 1 : 0) }
        }

        /// The text that is kept in these bytes: the bytes themselves, or a copy in the arena.
        static func text(
            _ bytes: UnsafeRawBufferPointer, in arena: RowArena
        ) throws(DataStoreError) -> UnsafeRawBufferPointer {
            guard bytes.contains(where: mayNeedPair) else { return bytes }
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count)
            var position = 0
            while position < bytes.count {
                let byte = bytes[position]
                let isPair = byte == 1 || isHigh(bytes, at: position)
                let second = position + (byte == 1 ? 1 : 4)
                guard isPair, second < bytes.count, (1...2).contains(bytes[second]) else {
                    // Another tool's text is given as it wrote it.
                    text.append(byte)
                    position += 1
                    continue
                }
                if byte == 1 {
                    text.append(bytes[second] - 1)
                } else {
                    text += [0xF4, 0x8F, 0xBF, bytes[second] + 0xBD]
                }
                position = second + 1
            }
            return try text.withUnsafeBufferPointer { bytes throws(DataStoreError) in
                try arena.copy(UnsafeRawBufferPointer(bytes))
            }
        }

        @inline(__always)
        private static func mayNeedPair(_ byte: UInt8) -> Bool { byte <= 1 || byte == 0xF4 }

        /// True if U+10FFFE or U+10FFFF is at a position.
        private static func isHigh(_ text: UnsafeRawBufferPointer, at position: Int) -> Bool {
            position + 3 < text.count && text[position] == 0xF4 && text[position + 1] == 0x8F
                && text[position + 2] == 0xBF && text[position + 3] >= 0xBE
        }
    }

    /// Decimal numbers as the server sends them: groups of four digits, with the weight of the first.
    enum ServerNumber {
        private static let negative: UInt16 = 0x4000

        /// Appends a number in its canonical text; text that is not a number is sent as NaN, which equals no value.
        static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
            var digits = Array(text)[...]
            let isNegative = digits.first == UInt8(ascii: "-")
            if isNegative { digits = digits.dropFirst() }
            let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
            let whole = digits[..<point]
            let fraction = point < digits.endIndex ? digits[(point + 1)...] : []
            guard !whole.isEmpty, (whole + fraction).allSatisfy({ (48...57).contains($0) }) else {
                return append(groups: [], weight: 0, sign: 0xC000, scale: 0, to: &bytes)
            }
            let lead = (4 - whole.count % 4) % 4
            let zero = UInt8(ascii: "0")
            var padded = [UInt8](repeating: zero, count: lead) + whole + fraction
            padded += [UInt8](repeating: zero, count: (4 - padded.count % 4) % 4)
            var groups: [UInt16] = stride(from: 0, to: padded.count, by: 4).map { start in
                padded[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1 - zero) }
            }
            var weight = (whole.count + lead) / 4 - 1
            while groups.first == 0 {
                groups.removeFirst()
                weight -= 1
            }
            while groups.last == 0 { groups.removeLast() }
            if groups.isEmpty { weight = 0 }
            append(
                groups: groups, weight: Int16(clamping: weight),
                sign: isNegative && !groups.isEmpty ? negative : 0, scale: UInt16(clamping: fraction.count),
                to: &bytes)
        }

        private static func append(
            groups: [UInt16], weight: Int16, sign: UInt16, scale: UInt16, to bytes: inout [UInt8]
        ) {
            for number in [UInt16(clamping: groups.count), UInt16(bitPattern: weight), sign, scale] + groups {
                WireValue.append(number, to: &bytes)
            }
        }

        /// The canonical text of a number; nil for bytes of another form, and for NaN and infinity.
        static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
            func number(_ position: Int) -> UInt16 {
                UInt16(bytes[position * 2]) << 8 | UInt16(bytes[position * 2 + 1])
            }
            guard bytes.count >= 8 else { return nil }
            let count = Int(number(0))
            let weight = Int(Int16(bitPattern: number(1)))
            let sign = number(2)
            guard bytes.count == 8 + count * 2, sign == 0 || sign == negative else { return nil }
            func group(_ position: Int) -> String {
                let value = (0..<count).contains(position) ? number(4 + position) : 0
                let digits = String(value)
                return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
            var whole = weight < 0 ? "" : (0...weight).map(group).joined()
            whole = String(whole.drop { $0 == "0" })
            var fraction = weight + 1 < count ? (weight + 1..<count).map(group).joined() : ""
            while fraction.hasSuffix("0") { fraction.removeLast() }
            let isZero = whole.isEmpty && fraction.isEmpty
            return (sign == negative && !isZero ? "-" : "") + (whole.isEmpty ? "0" : whole)
                + (fraction.isEmpty ? "" : "." + fraction)
        }
    }
#endif
