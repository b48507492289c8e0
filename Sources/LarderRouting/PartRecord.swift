import LarderKernel

/// The row by which a part knows the store that it belongs to.
///
/// Each part has the row of its own name, and the first part has a row for each part. If the first part has a later commit of
/// a part than the part itself, a process was killed between their commits, or is between them now.
struct PartRecord {
    /// The identity of the whole store.
    let identity: String
    /// The number of the last commit over several parts that has changed the part.
    let commit: Int64
    /// The number of the one before, which the part must have for the last one to be repeated.
    let previous: Int64

    static let entity = EntitySchema(
        "larder.part",
        attributes: [
            .attribute("id", String.self), .attribute("store", String.self), .attribute("commit", Int64.self),
            .attribute("previous", Int64.self),
        ])

    /// The row of a name; nil if there is none.
    ///
    /// - Parameter entity: The number of ``entity`` in the transaction's part.
    init?(of name: String, in reading: any StorageReading, _ entity: Int) throws(DataStoreError) {
        let cells = CellBuffer(count: 4)
        let found = try name.withBytes { bytes throws(DataStoreError) in
            try reading.row(at: .text(bytes), of: entity, into: cells.start)
        }
        guard found else { return nil }
        self.init(row: cells)
    }

    private init(row cells: CellBuffer) {
        identity = cells.start[1].string
        commit = cells.start[2].integer
        previous = cells.start[3].integer
    }

    init(identity: String, commit: Int64 = 0, previous: Int64 = 0) {
        self.identity = identity
        self.commit = commit
        self.previous = previous
    }

    /// Stores the row of a name.
    func write(as name: String, in writing: any StorageWriting, _ entity: Int) throws(DataStoreError) {
        try Self.delete(name, in: writing, entity)
        let arena = RowArena(chunkBytes: 512)
        let cells = CellBuffer(count: 4)
        cells.start[0] = try name.encode(in: arena)
        cells.start[1] = try identity.encode(in: arena)
        cells.start[2] = .integer(commit)
        cells.start[3] = .integer(previous)
        try writing.apply(RowMutation(.insert, entity: entity, cells: cells.start))
    }

    /// Deletes the row of a name.
    static func delete(
        _ name: String, in writing: any StorageWriting, _ entity: Int
    ) throws(DataStoreError) {
        let cells = CellBuffer(count: 4)
        try name.withBytes { bytes throws(DataStoreError) in
            cells.start[0] = .text(bytes)
            try writing.apply(RowMutation(.delete, entity: entity, cells: cells.start))
        }
    }

    /// All rows by their names.
    static func all(
        in reading: any StorageReading, _ entity: Int
    ) throws(DataStoreError) -> [UTF8Key: PartRecord] {
        let cells = CellBuffer(count: 4)
        let rows = try reading.rows(for: RequestPlan(entity: entity, schema: Self.entity))
        defer { rows.close() }
        var records: [UTF8Key: PartRecord] = [:]
        while try rows.next(into: cells.start) {
            records[UTF8Key(cells.start[0].string)] = PartRecord(row: cells)
        }
        return records
    }
}
