public import Larder

/// The entry of a later version of the app, which only a step makes of ``Entry``.
public struct LaterEntry: DataStoreItem, Equatable {
    public let id: Int64
    public var title: String

    public init(_ entry: Entry) {
        id = entry.id
        title = "\(entry.block): \(entry.text)"
    }

    public struct Attributes: Sendable {
        public let id = Attribute<LaterEntry, Int64>(column: 0)
        public let title = Attribute<LaterEntry, String>(column: 1)
    }

    public static let attributes = Attributes()
    public static let schema = EntitySchema(
        "Entry", attributes: [.attribute("id", Int64.self), .attribute("title", String.self)],
        indexes: [.index("title")])

    public init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        title = try row.value(at: 1)
    }

    public func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(title, at: 1)
    }

    /// The options of a store that takes the step.
    ///
    /// - Parameter pause: Called when the step begins, after each batch of rows, and when all are made and
    ///   their indexes are built.
    package static func options(pausing pause: @escaping @Sendable (String) -> Void) -> DataStoreOptions {
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Entry") { old, new in
                let entry = try new.make()
                entry["title"] = .value(
                    "\(try old["block", as: Int64.self]): \(try old["text", as: String.self])")
            }
        }.after { _ in pause("after") }
        var options = DataStoreOptions()
        options.migration = MigrationPlan(progress: { pause("\($0.done)") }) {
            stored throws(DataStoreError) in
            guard stored.entity(named: "Entry")?.attributes.contains(where: { $0.name == "block" }) == true
            else { return [] }
            return [MigrationPlan.Stage(step, to: try StoreSchema(storing: [LaterEntry.self]))]
        }
        return options
    }
}
