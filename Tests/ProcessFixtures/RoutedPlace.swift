public import Larder
import LarderLMDB
import LarderRouting
import LarderSQLite

public import struct Foundation.URL

/// Stores over SQLite and LMDB.
public enum RoutedPlace {
    /// A store with entries in SQLite, and a remark for each block in LMDB.
    ///
    /// - Parameter url: The beginning of the names of both files.
    public static func makeStore(at url: URL) -> any DataStore {
        RoutedDataStore([
            StorePart("entries", SQLiteDataStore(at: firstFile(at: url), storing: [Entry.self])),
            StorePart("remarks", LMDBDataStore(at: secondFile(at: url), storing: [Remark.self])),
        ])
    }

    /// A store with entries in both, each in the part that its text names.
    ///
    /// - Parameter url: The beginning of the names of both files.
    public static func makePartitionedStore(at url: URL) -> any DataStore {
        RoutedDataStore(
            [
                StorePart(parts[0], SQLiteDataStore(at: firstFile(at: url), storing: [Entry.self])),
                StorePart(parts[1], LMDBDataStore(at: secondFile(at: url), storing: [Entry.self])),
            ], partitionedBy: [PartKey(of: Entry.self, \.text)])
    }

    /// The names of the parts that entries are in.
    public static let parts = ["first", "second"]

    /// The file of the part in SQLite.
    public static func firstFile(at url: URL) -> URL { url.appendingPathExtension("first") }

    private static func secondFile(at url: URL) -> URL { url.appendingPathExtension("second") }

    /// The entries after a block, half of them in each part; each is in the other part after the next block.
    public static func entries(afterBlock block: Int64, count: Int64 = 20) -> [Entry] {
        (0..<count).map { Entry(id: $0, block: block, text: parts[Int(($0 + block) % 2)]) }
    }

    /// Moves every entry; the first block makes them.
    public static func move(toBlock block: Int64, in accessor: DataStoreReadWriteAccessor) throws {
        for entry in entries(afterBlock: block) {
            if let stored = try accessor.mutableItem(id: entry.id, of: Entry.self) {
                stored.block = entry.block
                stored.text = entry.text
            } else {
                try accessor.insert(entry)
            }
        }
    }
}

/// The remark of a later version of the app, which only a step makes of ``Remark``.
public struct LaterRemark: DataStoreItem, Equatable {
    public let id: Int64
    public var text: String

    public init(_ id: Int64) {
        self.id = id
        text = "remark \(id)"
    }

    public struct Attributes: Sendable {
        public let id = Attribute<LaterRemark, Int64>(column: 0)
        public let text = Attribute<LaterRemark, String>(column: 1)
    }

    public static let attributes = Attributes()
    public static let schema = EntitySchema(
        "Remark", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])

    public init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        text = try row.value(at: 1)
    }

    public func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(text, at: 1)
    }
}

extension RoutedPlace {
    private static let versions = [
        SchemaVersion("1", storing: [Entry.self, Remark.self]),
        SchemaVersion("2", storing: [LaterEntry.self, LaterRemark.self]),
    ]

    /// The stores of the parts, at the version with this number.
    package static func parts(at url: URL, version: Int) -> [any DataStore] {
        let entries: any DataStoreItem.Type = version == 1 ? Entry.self : LaterEntry.self
        let remarks: any DataStoreItem.Type = version == 1 ? Remark.self : LaterRemark.self
        return [
            SQLiteDataStore(at: url.appendingPathExtension("first"), storing: [entries]),
            LMDBDataStore(at: url.appendingPathExtension("second"), storing: [remarks]),
        ]
    }

    /// The store at a version, which takes a step through the rows of both parts from the first to the second.
    ///
    /// - Parameter pause: Called when a step has begun and after each batch of rows, and when a part is open, its step
    ///   committed.
    package static func makeStore(
        at url: URL, version: Int, pausing pause: @escaping @Sendable (String) -> Void = { _ in }
    ) -> any DataStore {
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Entry") { old, new in
                let title = "\(try old["block", as: Int64.self]): \(try old["text", as: String.self])"
                try new.make().set("title", to: title)
            }
            Keep("Remark").fill("text") { "remark \(try $0["id", as: Int64.self])" }
        }
        var options = DataStoreOptions()
        // A part that is left by a kill takes one step too.
        options.allowedMigration = .oneStep
        options.schemaProgress = { pause("\($0)") }
        options.upgradeProbe = pause
        let parts = parts(at: url, version: version)
        return RoutedDataStore(
            [StorePart("entries", parts[0]), StorePart("remarks", parts[1])],
            storing: version == 1 ? SchemaHistory([versions[0]]) : SchemaHistory(versions, steps: [step]),
            storeOptions: options)
    }
}
