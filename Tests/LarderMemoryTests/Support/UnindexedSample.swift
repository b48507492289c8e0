import Larder

/// A sample in a table without indexes, where every plan is a scan.
struct UnindexedSample: DataStoreItem, Equatable {
    let sample: Sample

    var id: Int64 { sample.id }

    struct Attributes: Sendable {
        let id = Attribute<UnindexedSample, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema("Sample", attributes: Sample.schema.attributes)
}

extension UnindexedSample {
    init(row: borrowing RowReader) throws(DataStoreError) {
        sample = try Sample(row: row)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try sample.encode(to: &row)
    }
}
