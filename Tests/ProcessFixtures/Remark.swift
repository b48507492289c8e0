public import Larder

/// A type that a later version of the app stores too.
public struct Remark: DataStoreItem {
    public let id: Int64

    public init(_ id: Int64) { self.id = id }

    public struct Attributes: Sendable {
        public let id = Attribute<Remark, Int64>(column: 0)
    }

    public static let attributes = Attributes()
    public static let schema = EntitySchema("Remark", attributes: [.attribute("id", Int64.self)])

    public init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }

    public func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}
