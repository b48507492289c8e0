public import Larder

/// What the writing processes write: several entries a block, so that half a block would show.
public struct Entry: DataStoreItem {
    public let id: Int64
    /// The number of the block that wrote the entry.
    public var block: Int64
    public var text: String

    public init(id: Int64, block: Int64, text: String) {
        self.id = id
        self.block = block
        self.text = text
    }

    /// The entries of a block.
    public static func entries(ofBlock block: Int64) -> [Entry] {
        (0..<entriesPerBlock).map { position in
            Entry(
                id: block * entriesPerBlock + position, block: block,
                text: String(repeating: "\(block).", count: Int(position) * 20))
        }
    }

    public static let entriesPerBlock: Int64 = 4

    public struct Attributes: Sendable {
        public let id = Attribute<Entry, Int64>(column: 0)
        public let block = Attribute<Entry, Int64>(column: 1)
        public let text = Attribute<Entry, String>(column: 2)
    }

    public static let attributes = Attributes()
    public static let schema = EntitySchema(
        "Entry",
        attributes: [
            .attribute("id", Int64.self), .attribute("block", Int64.self), .attribute("text", String.self),
        ],
        indexes: [.index("block")])

    public init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        block = try row.value(at: 1)
        text = try row.value(at: 2)
    }

    public func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(block, at: 1)
        try row.set(text, at: 2)
    }
}

extension Entry: Equatable {}
