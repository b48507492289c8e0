public import Larder

/// The entry of the last version of the app.
public struct FinalEntry: DataStoreItem, Equatable {
    public let id: Int64
    public var caption: String

    public init(_ entry: Entry) {
        id = entry.id
        caption = LaterEntry(entry).title + "!"
    }

    public struct Attributes: Sendable {
        public let id = Attribute<FinalEntry, Int64>(column: 0)
        public let caption = Attribute<FinalEntry, String>(column: 1)
    }

    public static let attributes = Attributes()
    public static let schema = EntitySchema(
        "Entry", attributes: [.attribute("id", Int64.self), .attribute("caption", String.self)])

    public init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        caption = try row.value(at: 1)
    }

    public func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(caption, at: 1)
    }
}

/// Three versions of ``Entry``, with a step through its rows between each two.
package enum EntryHistory {
    /// - Parameters:
    ///   - count: The number of versions, up to three.
    ///   - body: Called with the name of the step for each row.
    package static func history(
        upTo count: Int = 3, calling body: @escaping @Sendable (String) -> Void
    ) -> SchemaHistory {
        let versions = [
            SchemaVersion("1", storing: [Entry.self]), SchemaVersion("2", storing: [LaterEntry.self]),
            SchemaVersion("3", storing: [FinalEntry.self]),
        ]
        let steps = [
            SchemaStep(from: "1", to: "2") {
                Transform("Entry") { old, new in
                    body("1 → 2")
                    let entry = try new.make()
                    entry["title"] = .value(
                        "\(try old["block", as: Int64.self]): \(try old["text", as: String.self])")
                }
            },
            SchemaStep(from: "2", to: "3") {
                Transform("Entry") { old, new in
                    body("2 → 3")
                    try new.make().set("caption", to: "\(try old["title", as: String.self])!")
                }
            },
        ]
        return SchemaHistory(Array(versions.prefix(count)), steps: Array(steps.prefix(count - 1)))
    }

    /// The options of a store that takes the steps in a copy.
    ///
    /// - Parameter pause: Called after each part of the work.
    package static func options(pausing pause: @escaping @Sendable (String) -> Void) -> DataStoreOptions {
        var options = DataStoreOptions()
        options.schemaUpgrade = .copying(keepingBackup: { _ in })
        options.schemaProgress = { pause("\($0.phase): \($0.done)") }
        options.upgradeProbe = pause
        return options
    }
}
