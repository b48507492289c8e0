package import Larder

/// A folder with files, which may leave it, and entries, which cannot.
package struct Folder: DataStoreItem, Equatable {
    package let id: ItemID<Folder>
    package var name: String
    package var files: ToMany<File>
    /// Deleted with their folder.
    package var entries: ToMany<Entry>

    package init(
        _ id: Int64, _ name: String = "", files: ToMany<File> = .notGiven, entries: ToMany<Entry> = .notGiven
    ) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.files = files
        self.entries = entries
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Folder, ItemID<Folder>>(column: 0)
        package let name = Attribute<Folder, String>(column: 1)
        package let files = RelationshipAttribute<Folder, ToMany<File>>(number: 0)
        package let entries = RelationshipAttribute<Folder, ToMany<Entry>>(number: 1)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Folder",
        attributes: [.attribute("id", ItemID<Folder>.self), .attribute("name", String.self)],
        relationships: [
            .relationship("files", ToMany<File>.self, of: Folder.self, inverse: File.attributes.folder),
            .relationship(
                "entries", ToMany<Entry>.self, of: Folder.self, inverse: Entry.attributes.folder,
                deleteRule: .cascade),
        ])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        files = try row.value(atRelationship: 0, of: Folder.self)
        entries = try row.value(atRelationship: 1, of: Folder.self)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(files, atRelationship: 0)
        try row.set(entries, atRelationship: 1)
    }
}

/// A file, whose name no other one in its folder has.
package struct File: DataStoreItem, Equatable {
    package let id: Int64
    package var name: String
    package var folder: ToOne<Folder>?
    package var size: Int

    package init(_ id: Int64, _ name: String, in folder: Int64? = nil, size: Int = 0) {
        self.id = id
        self.name = name
        self.folder = folder.map { ToOne(id: ItemID(rawValue: $0)) }
        self.size = size
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<File, Int64>(column: 0)
        package let name = Attribute<File, String>(column: 1)
        package let folder = Attribute<File, ToOne<Folder>?>(indexedColumn: 2)
        package let size = Attribute<File, Int>(column: 3)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "File",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("folder", ToOne<Folder>?.self), .attribute("size", Int.self),
        ],
        indexes: [.unique("folder", "name")])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        folder = try row.value(at: 2)
        size = try row.value(at: 3)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(folder, at: 2)
        try row.set(size, at: 3)
    }
}

/// An entry, which is always in a folder, under a name that no other one there has.
package struct Entry: DataStoreItem, Equatable {
    package let id: ItemID<Entry>
    package var folder: ToOne<Folder>
    package var name: String
    package var note: String?

    package init(
        _ id: ItemID<Entry> = ItemID(), _ name: String, in folder: Int64, note: String? = nil
    ) {
        self.id = id
        self.name = name
        self.folder = ToOne(id: ItemID(rawValue: folder))
        self.note = note
    }

    package struct Attributes: StoredAttributes {
        package let id = Attribute<Entry, ItemID<Entry>>(column: 0)
        package let folder = Attribute<Entry, ToOne<Folder>>(indexedColumn: 1)
        package let name = Attribute<Entry, String>(column: 2)
        package let note = Attribute<Entry, String?>(column: 3)
    }

    package static let attributes = Attributes()

    package static let schema = EntitySchema(
        "Entry",
        attributes: [
            .attribute("id", ItemID<Entry>.self), .attribute("folder", ToOne<Folder>.self),
            .attribute("name", String.self), .attribute("note", String?.self),
        ],
        indexes: [.unique("folder", "name")])

    package init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        folder = try row.value(at: 1)
        name = try row.value(at: 2)
        note = try row.value(at: 3)
    }

    package func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(folder, at: 1)
        try row.set(name, at: 2)
        try row.set(note, at: 3)
    }
}
