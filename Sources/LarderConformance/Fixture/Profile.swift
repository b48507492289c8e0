import Larder

/// An item with an attribute that is stored as JSON.
struct Profile: DataStoreItem, Equatable {
    let id: Int64
    var tags: Tags
    var note: String?

    init(_ id: Int64, tags: Tags, note: String? = nil) {
        self.id = id
        self.tags = tags
        self.note = note
    }

    struct Attributes: Sendable {
        let id = Attribute<Profile, Int64>(column: 0)
        let tags = Attribute<Profile, Tags>(column: 1)
        let note = Attribute<Profile, String?>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = ProfileAsStored.schema

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        tags = try row.value(at: 1)
        note = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(tags, at: 1)
        try row.set(note, at: 2)
    }
}

/// The same item with the JSON as text.
enum ProfileAsStored: ItemVersion {
    static let schema = EntitySchema(
        "Profile",
        attributes: [
            .attribute("id", Int64.self), .attribute("tags", Tags.self), .attribute("note", String?.self),
        ])
}
