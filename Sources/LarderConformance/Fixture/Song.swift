import Larder

/// A song, whose properties have other names in the store; one of them is the name of another property.
struct Song: DataStoreItem, Equatable {
    let id: Int64
    /// Stored as "name".
    var title: String
    /// Stored as "title".
    var artist: String?
    /// Stored as "length".
    var seconds: Int
    /// Stored as "album_id".
    var album: ToOne<Album>?
    /// Stored as "tags".
    var labels: ToMany<Album>
    /// Not stored.
    var isPlaying = false

    /// Set by setting what is stored.
    var minutes: Int {
        get { seconds / 60 }
        set { seconds = newValue * 60 }
    }

    /// As above, of two attributes.
    var credits: String {
        get { artist.map { "\(title) by \($0)" } ?? title }
        set {
            let parts = newValue.split(separator: "|", maxSplits: 1).map(String.init)
            title = parts.first ?? ""
            artist = parts.count > 1 ? parts[1] : nil
        }
    }

    init(
        _ id: Int64, _ title: String, by artist: String? = nil, seconds: Int = 0, on album: Int64? = nil,
        labels: ToMany<Album> = .notGiven
    ) {
        self.id = id
        self.title = title
        self.artist = artist
        self.seconds = seconds
        self.album = album.map { ToOne(id: $0) }
        self.labels = labels
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Song, Int64>(column: 0)
        let title = Attribute<Song, String>(indexedColumn: 1)
        let artist = Attribute<Song, String?>(column: 2)
        let seconds = Attribute<Song, Int>(indexedColumn: 3)
        let album = Attribute<Song, ToOne<Album>?>(indexedColumn: 4)
        let labels = RelationshipAttribute<Song, ToMany<Album>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Song",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("name", String.self, property: "title"),
            .attribute("title", String?.self, property: "artist"),
            .attribute("length", Int.self, property: "seconds", default: 0),
            .attribute("album_id", ToOne<Album>?.self, property: "album"),
        ],
        indexes: [.unique("name"), .index("length")],
        relationships: [.relationship("tags", ToMany<Album>.self, property: "labels")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        title = try row.value(at: 1)
        artist = try row.value(at: 2)
        seconds = try row.value(at: 3)
        album = try row.value(at: 4)
        labels = try row.value(atRelationship: 0, of: Song.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(title, at: 1)
        try row.set(artist, at: 2)
        try row.set(seconds, at: 3)
        try row.set(album, at: 4)
        try row.set(labels, atRelationship: 0)
    }
}

/// An album, which goes with its songs.
struct Album: DataStoreItem, Equatable {
    let id: Int64
    /// Stored as "album_name".
    var name: String
    var songs: ToMany<Song>

    init(_ id: Int64, _ name: String, songs: ToMany<Song> = .notGiven) {
        self.id = id
        self.name = name
        self.songs = songs
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Album, Int64>(column: 0)
        let name = Attribute<Album, String>(column: 1)
        let songs = RelationshipAttribute<Album, ToMany<Song>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Album",
        attributes: [
            .attribute("id", Int64.self), .attribute("album_name", String.self, property: "name"),
        ],
        relationships: [
            .relationship(
                "songs", ToMany<Song>.self, of: Album.self, inverse: Song.attributes.album,
                deleteRule: .deny)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        songs = try row.value(atRelationship: 0, of: Album.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(songs, atRelationship: 0)
    }
}
