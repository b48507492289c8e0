import Larder

@testable import LarderKernel

/// One version of an app's idea of an item type.
protocol SchemaVersion: Sendable {
    static var schema: EntitySchema { get }
}

/// An item of any attributes, in the schema of a version.
struct VersionedItem<Version: SchemaVersion>: DataStoreItem, Equatable {
    let id: Int64
    /// The values of the columns behind the identifier.
    var values: [Constant]

    struct Attributes: Sendable {
        let id = Attribute<VersionedItem, Int64>(column: 0)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema { Version.schema }

    init(_ id: Int64, _ values: Constant...) {
        self.id = id
        self.values = values
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        values = []
        for column in Version.schema.attributes.indices.dropFirst() {
            values.append(Constant(row.cells[column], storage: Version.schema.storage(ofColumn: column)))
        }
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        for (position, value) in values.enumerated() {
            row.cells[position + 1] = try row.arena.cell(of: value)
        }
    }
}
