/// What a raw connection is configured with; nil leaves SQLite's own default.
struct SQLiteSettings {
    /// In bytes.
    var pageSize: Int?
    /// As `PRAGMA cache_size` reads it: negative in KiB, positive in pages.
    var cacheSize: Int?
    /// In pages.
    var walAutocheckpoint: Int?
    /// Set by each workload through `with(_:)`.
    var synchronous = Durability.normal

    /// Must equal what Larder's SQLite adapter sets: the ratio to "raw SQLite" rests on it.
    static let asLarder = SQLiteSettings(pageSize: 8192, cacheSize: -16_384, walAutocheckpoint: 1024)

    /// SQLite untouched but for WAL and the durability of the workload.
    static let ownDefaults = SQLiteSettings()

    func with(_ durability: Durability) -> SQLiteSettings {
        var settings = self
        settings.synchronous = durability
        return settings
    }

    /// In the order in which they must run: the page size is fixed once WAL is on.
    var pragmas: [String] {
        let optional = [
            pageSize.map { "PRAGMA page_size = \($0)" },
            "PRAGMA journal_mode = WAL",
            cacheSize.map { "PRAGMA cache_size = \($0)" },
            walAutocheckpoint.map { "PRAGMA wal_autocheckpoint = \($0)" },
            synchronous.pragma,
        ]
        return optional.compactMap { $0 }
    }
}

extension Durability {
    /// The setting that every contender on SQLite runs.
    var pragma: String {
        switch self {
        case .normal: "PRAGMA synchronous = NORMAL"
        case .full: "PRAGMA synchronous = FULL"
        }
    }
}
