import LarderKernel

/// Follows what an observation reads: the region it depends on, and a digest of what came.
///
/// *Rule:* used on the thread of its block.
final class ReadTracker: ReadFollower {
    private(set) var region = ReadRegion()
    /// True if items were read together with their related ones, which `==` ignores.
    private(set) var hasPrefetched = false
    private var hasher = Hasher()

    init() {}

    /// A number that differs, except with a chance of one in 2^64, when anything differs that was read.
    var digest: Int { hasher.finalize() }

    func note(_ plan: RequestPlan, in schema: StoreSchema) {
        region.insert(plan, in: schema)
        hasher.combine(plan.entity)
    }

    func noteLookUp(of identifier: Cell, in entity: Int, _ schema: EntitySchema) {
        if let identifier = AnyItemID(identifier, type: schema.attributes[0].type) {
            region.insertRow(identifier, of: entity, schema)
        } else {
            region.insertAllColumns(of: entity, schema)
        }
        hasher.combine(entity)
    }

    func noteCount(_ count: Int) { hasher.combine(count) }

    /// Notes values that were looked up for the rows of a plan.
    func note(_ values: [RelatedOrder.Term], of entity: Int, in schema: StoreSchema) {
        for value in values { region.insert(value.term.column, behind: value.path, of: entity, in: schema) }
    }

    func note(_ groups: GroupRows) { hasher.combine(groups) }

    func notePrefetching() { hasPrefetched = true }

    /// Notes that something was read past the requests.
    func noteEverything() {
        region.insertEverything()
        hasher.combine(UInt64.random(in: .min ... .max))
    }

    /// Notes values that were looked up for the sections of a list.
    func note(_ values: [Constant]) { hasher.combine(values) }

    func following(_ cursor: any RowCursor, width: Int) -> any RowCursor {
        TrackedCursor(cursor, width: width, by: self)
    }

    func noteRow(_ cells: UnsafePointer<Cell>, count: Int) {
        noteRow(RowFingerprint.of(cells, count: count))
    }

    func noteRow(_ digest: Int) { hasher.combine(digest) }
}

/// The rows of a cursor, noted one by one.
final class TrackedCursor: RowCursor {
    private let cursor: any RowCursor
    private let width: Int
    private let tracker: ReadTracker
    // reason for unchecked: see BlockContext.
    /// The digest of the row that was given last.
    @exclusivity(unchecked) private(set) var lastDigest = 0

    init(_ cursor: any RowCursor, width: Int, by tracker: ReadTracker) {
        self.cursor = cursor
        self.width = width
        self.tracker = tracker
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard try cursor.next(into: cells) else { return false }
        lastDigest = RowFingerprint.of(cells, count: width)
        tracker.noteRow(lastDigest)
        return true
    }

    func close() { cursor.close() }
}
