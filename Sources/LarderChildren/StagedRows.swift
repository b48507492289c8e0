import LarderKernel

/// The items of one type that a child store has touched, as one of its transactions sees them.
///
/// *Rule:* used by one thread at a time, with the transaction.
final class StagedRows {
    private let staged: any StorageReading
    private let entity: Int
    private let schema: EntitySchema
    private let isNumber: Bool
    private let cells: CellBuffer
    /// The links that the child has touched, by their ends; nil for items.
    let links: StagedLinks?
    // reason for unchecked: asked for each row of a scan, and never while another access runs.
    /// The number of touched items; nil before it is asked for.
    @exclusivity(unchecked) private var knownCount: Int?
    /// The items that were looked up one by one.
    @exclusivity(unchecked) private var lookups = 0
    /// All touched identifiers, once they are worth reading: numbers, and identifiers of other types.
    @exclusivity(unchecked) private var numbers: Set<Int64>?
    @exclusivity(unchecked) private var others: Set<Constant>?
    /// A bit for some of the numbers each; if it is 0, none of them is touched.
    @exclusivity(unchecked) private var filter: [UInt64] = []

    /// - Parameters:
    ///   - base: The number of the entity with the base rows.
    ///   - links: The links that the child has touched, by their ends; nil for items.
    init(in staged: any StorageReading, base: Int, _ schema: EntitySchema, links: StagedLinks?) {
        self.staged = staged
        self.links = links
        self.schema = schema
        entity = base
        isNumber = schema.storage(ofColumn: 0) == .integer
        cells = CellBuffer(count: schema.attributes.count)
    }

    private var plan: RequestPlan { RequestPlan(entity: entity, schema: schema, columns: .some([0])) }

    /// The number of touched items.
    func count() throws(DataStoreError) -> Int {
        if let knownCount { return knownCount }
        let count = try staged.count(for: plan)
        knownCount = count
        return count
    }

    /// True if an item is touched.
    func contains(_ identifier: Cell) throws(DataStoreError) -> Bool {
        if numbers != nil {
            return mayContain(identifier.integer) && numbers?.contains(identifier.integer) == true
        }
        if let others { return others.contains(constant(identifier)) }
        let count = try count()
        if count == 0 { return false }
        lookups += 1
        // From here on as many further look-ups would cost more than reading all identifiers.
        if lookups > max(64, count / 2) {
            try readIdentifiers(count)
            return try contains(identifier)
        }
        return try staged.row(at: identifier, of: entity, into: cells.start)
    }

    /// True if the child shows its own version of a row of the parent, or none.
    ///
    /// - Parameter row: Cells by column number: the identifier, and of a link its ends.
    @inline(__always)
    func hides(_ row: UnsafePointer<Cell>) throws(DataStoreError) -> Bool {
        if try contains(row[0]) { return true }
        guard let links else { return false }
        return try links.contains(row)
    }

    /// All touched identifiers, in order.
    func identifiers() throws(DataStoreError) -> [Constant] {
        var identifiers: [Constant] = []
        try forEachIdentifier { identifiers.append(constant($0)) }
        return identifiers
    }

    /// Notes that an item is touched from now on.
    func insert(_ identifier: Cell) {
        knownCount? += 1
        if numbers != nil {
            numbers?.insert(identifier.integer)
            addToFilter(identifier.integer)
        }
        if others != nil { others?.insert(constant(identifier)) }
    }

    /// Notes that an item is not touched any more.
    func remove(_ identifier: Cell) {
        knownCount? -= 1
        numbers?.remove(identifier.integer)
        if others != nil { others?.remove(constant(identifier)) }
    }

    /// Forgets what is known, as rows have changed otherwise.
    func forget() {
        (knownCount, lookups, numbers, others) = (nil, 0, nil, nil)
        links?.forget()
    }

    private func constant(_ identifier: Cell) -> Constant {
        Constant(identifier, storage: schema.storage(ofColumn: 0))
    }

    private func readIdentifiers(_ count: Int) throws(DataStoreError) {
        if isNumber {
            var read: Set<Int64> = []
            read.reserveCapacity(count)
            try forEachIdentifier { read.insert($0.integer) }
            // At least 16 bits for each number, so that few others are looked up.
            let words = max(16, count.nextPowerOfTwo / 4)
            filter = Array(repeating: 0, count: words)
            for number in read { addToFilter(number) }
            numbers = read
        } else {
            var read: Set<Constant> = []
            try forEachIdentifier { read.insert(constant($0)) }
            others = read
        }
    }

    private func forEachIdentifier(_ body: (Cell) -> Void) throws(DataStoreError) {
        try staged.forEachRow(of: plan) { body($0[0]) }
    }

    // MARK: The filter

    private func mayContain(_ number: Int64) -> Bool {
        let bit = self.bit(of: number)
        return filter[bit / 64] & (1 << UInt64(bit % 64)) != 0
    }

    private func addToFilter(_ number: Int64) {
        let bit = self.bit(of: number)
        filter[bit / 64] |= 1 << UInt64(bit % 64)
    }

    /// The bit of a number: the highest bits of a product that mixes all of it (Fibonacci hashing).
    private func bit(of number: Int64) -> Int {
        Self.bit(of: number, among: filter.count &* 64)
    }

    /// - Parameter bits: A power of two, of an `Int` of any width.
    static func bit(of number: Int64, among bits: some FixedWidthInteger) -> Int {
        let product = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> UInt64(64 - bits.trailingZeroBitCount))
    }
}

extension Int {
    /// The smallest power of two that is at least this number.
    fileprivate var nextPowerOfTwo: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
