import LarderKernel

/// Judges unique values a second time, as each entry of a unique index is written.
///
/// The core has judged the values before. Should it ever be wrong, the commit is refused and nothing is stored. Until then
/// two items may have one value: the next change may take it from one of them.
///
/// *Cost:* a step or two of a cursor for each entry.
final class UniqueEntries {
    private let transaction: any KeyValueTransaction
    private let isJudging: Bool
    /// The cursors over indexes, by the numbers of the item type and of the index.
    private var cursors: [Place: any KeyValueCursor] = [:]
    /// The keys that had a twin when they were written.
    private var suspects: [Suspect] = []
    /// True if there were more of them.
    private var hasMore: Set<Place> = []

    private static let maximumSuspects = 1000

    private struct Place: Hashable {
        let entity: Int
        let index: Int
    }

    private struct Suspect {
        let place: Place
        let key: [UInt8]
    }

    /// - Parameter schema: The changes that a child stages are judged by its merge.
    init(_ transaction: any KeyValueTransaction, _ schema: StoreSchema) {
        self.transaction = transaction
        isJudging = schema.purpose != .staging
    }

    /// Notes an entry that was just written if another item has the same values.
    func note(
        _ key: UnsafeRawBufferPointer, _ index: IndexTable, number: Int, of entity: Int
    ) throws(DataStoreError) {
        guard isJudging else { return }
        let place = Place(entity: entity, index: number)
        guard try hasTwin(key, index, place) else { return }
        if suspects.count < Self.maximumSuspects {
            suspects.append(Suspect(place: place, key: Array(key)))
        } else {
            hasMore.insert(place)
        }
    }

    /// The indexes in which two items may have the same values, by the numbers of item type and index.
    func doubtful(in catalog: Catalog) throws(DataStoreError) -> [(entity: Int, index: Int)] {
        var found = hasMore
        for suspect in suspects where !found.contains(suspect.place) {
            let index = catalog.entities[suspect.place.entity].indexes[suspect.place.index]
            let isDouble = try Self.withBytes(suspect.key) { key throws(DataStoreError) in
                try hasTwin(key, index, suspect.place)
            }
            if isDouble { found.insert(suspect.place) }
        }
        return found.map { ($0.entity, $0.index) }
    }

    /// Releases the cursors and forgets everything, at the end of the transaction.
    func end() {
        for cursor in cursors.values { cursor.close() }
        cursors = [:]
        suspects = []
        hasMore = []
    }

    /// True if the index has an entry of another item with the same values.
    ///
    /// Values that are nil never clash, and those that are cut in the key are left to the core alone.
    private func hasTwin(
        _ key: UnsafeRawBufferPointer, _ index: IndexTable, _ place: Place
    ) throws(DataStoreError) -> Bool {
        guard index.form.isComplete, !index.form.holdsNil(key) else { return false }
        let start = try index.form.identifierStart(in: key)
        guard start.extent != .cut else { return false }
        let values = UnsafeRawBufferPointer(rebasing: key[..<start.offset])
        let cursor = try cursor(over: index, at: place)
        var entry = KeyValueEntry()
        guard try cursor.seek(values, &entry), Self.begins(entry.key, with: values) else { return false }
        if entry.key.count == key.count, Self.begins(entry.key, with: key) {
            guard try cursor.next(&entry) else { return false }
            return Self.begins(entry.key, with: values)
        }
        return true
    }

    private func cursor(
        over index: IndexTable, at place: Place
    ) throws(DataStoreError) -> any KeyValueCursor {
        if let cursor = cursors[place] { return cursor }
        let cursor = try transaction.cursor(over: index.entries)
        cursors[place] = cursor
        return cursor
    }

    private static func begins(_ key: UnsafeRawBufferPointer, with start: UnsafeRawBufferPointer) -> Bool {
        key.count >= start.count && key[..<start.count].elementsEqual(start)
    }

    private static func withBytes<Result>(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let buffer = ByteBuffer()
        bytes.withUnsafeBytes { buffer.append($0) }
        return try body(buffer.bytes)
    }
}
