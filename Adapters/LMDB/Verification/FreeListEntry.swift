import LarderKernel

/// The pages that one transaction has freed: how many, and their numbers from the highest down.
struct FreeListEntry {
    /// The bytes of a free page's number.
    static let numberBytes = 8
    private static let chunkBytes = 65536

    private let inspection: Inspection
    private let transaction: UInt64
    private let place: ValuePlace

    init(_ inspection: Inspection, _ transaction: UInt64, _ place: ValuePlace) {
        self.inspection = inspection
        self.transaction = transaction
        self.place = place
    }

    /// Checks the list and notes its pages as free; stops at the first one that is wrong.
    ///
    /// Space after the list is allowed: LMDB reserves an entry before it knows how much it will write.
    func check() throws(DataStoreError) {
        // Compared one by one: there is no range if the newest transaction is 0.
        guard transaction >= 1, transaction <= newest else {
            return inspection.note(
                "The free list has an entry of transaction \(transaction), outside of 1 to \(newest).")
        }
        var numbers = NumberSequence(place, in: inspection.file, chunkBytes: Self.chunkBytes)
        let room = numbers.byteCount / Self.numberBytes - 1
        guard numbers.byteCount % Self.numberBytes == 0, room >= 0, let count = try numbers.next(),
            count <= UInt64(room)
        else {
            return inspection.note(
                "The free list's entry of transaction \(transaction) does not fit "
                    + "its \(numbers.byteCount) bytes."
            )
        }
        var previous = UInt64.max
        for _ in 0..<count {
            guard let page = try numbers.next(), page < previous else {
                return inspection.note(
                    "The free list's entry of transaction \(transaction) is out of order.")
            }
            guard inspection.free(page, by: transaction) else { return }
            previous = page
        }
    }

    private var newest: UInt64 { inspection.meta.transaction }
}

/// The 8-byte numbers of a value, read piece by piece if they are on pages of their own.
struct NumberSequence {
    let byteCount: Int
    private let file: CheckedFile
    private var piece: PageBytes
    /// The offset of the next number in the chunk.
    private var offset: Int
    /// The offset of the next chunk in the file; nil for a value within a page.
    private var nextPiece: UInt64?
    private var remaining: Int

    init(_ place: ValuePlace, in file: CheckedFile, chunkBytes: Int) {
        self.file = file
        switch place {
        case .inPage(let page, let offset, let count):
            (piece, self.offset, byteCount) = (page, offset, count)
        case .inFile(let offset, let count):
            (piece, self.offset, byteCount) = (PageBytes(capacity: min(chunkBytes, count)), 0, count)
            nextPiece = offset
        }
        remaining = byteCount
    }

    /// The next number; nil at the end of the value or of the file.
    mutating func next() throws(DataStoreError) -> UInt64? {
        guard remaining >= 8 else { return nil }
        if let start = nextPiece, offset >= piece.count {
            try file.read(into: &piece, at: start)
            nextPiece = start &+ UInt64(piece.count)
            offset = 0
        }
        let number = piece.load(UInt64.self, at: offset)
        offset += 8
        remaining -= 8
        return number
    }
}
