/// Ten thousand entries with unique codes, imported, or merged from a child, in one write transaction.
struct WriteEntries: EntryWorkload {
    enum Work: String {
        case importNew = "import-new"
        case importChanged = "import-changed"
        case mergeNew = "merge-new"
        case mergeChanged = "merge-changed"

        /// True if the entries are not in the store before.
        var isOfNewEntries: Bool { self == .importNew || self == .mergeNew }
    }

    private static let mostEntries = 10_000
    /// The greatest number of entries whose codes differ: a prime number.
    private static let codeCount: Int64 = 1_000_003

    let work: Work

    var name: String { work.rawValue }
    var title: String {
        switch work {
        case .importNew: "import new entries by a unique code"
        case .importChanged: "import changed entries by a unique code"
        case .mergeNew: "merge a child with new entries"
        case .mergeChanged: "merge a child with changed entries"
        }
    }
    var contents: StoreContents { work.isOfNewEntries ? .nothing : .everything }
    var targets: [Target] { .line(postgreSQL: 1.5, memory: nil) }

    func operations(items: Int) -> ClosedRange<Int> {
        let count = min(items, Self.mostEntries)
        return count...count
    }

    func fill(_ store: any EntryContender, in setting: Setting) throws {
        let count = operations(items: setting.dataset.restaurants.count).lowerBound
        try store.insert(Self.entries(count: count, isChanged: false))
    }

    func check(_ store: any EntryContender, operations: Int, in setting: Setting) throws {
        _ = try time(store, count: operations, isChanged: true)
        try Self.compare(try store.entries(), Self.entries(count: operations, isChanged: true), asked: title)
        if work.isOfNewEntries { return }
        _ = try time(store, count: operations, isChanged: false)
        try Self.compare(try store.entries(), Self.entries(count: operations, isChanged: false), asked: title)
    }

    /// The values are set back when the clock has stopped.
    func sample(_ store: any EntryContender, operations: Int, in setting: Setting) throws -> Double {
        let time = try time(store, count: operations, isChanged: true)
        if !work.isOfNewEntries { _ = try self.time(store, count: operations, isChanged: false) }
        return time / Double(operations)
    }

    private func time(_ store: any EntryContender, count: Int, isChanged: Bool) throws -> Double {
        let entries = Self.entries(count: count, isChanged: isChanged)
        switch work {
        case .importNew, .importChanged:
            return try nanoseconds { try store.importEntries(entries) }
        case .mergeNew:
            try store.stageNew(entries)
            return try nanoseconds { try store.mergeStaged() }
        case .mergeChanged:
            try store.stageValues(of: entries)
            return try nanoseconds { try store.mergeStaged() }
        }
    }

    private static func entries(count: Int, isChanged: Bool) -> [ImportedEntry] {
        (1...Int64(count)).map { id in
            ImportedEntry(
                id: id, code: "code-\(id * 7919 % codeCount)", amount: Int(id) + (isChanged ? 1_000_000 : 0))
        }
    }

    private static func compare(
        _ found: [ImportedEntry], _ expected: [ImportedEntry], asked: String
    ) throws {
        guard found.count == expected.count else {
            throw WrongAnswer(
                asked: asked, expected: "\(expected.count) entries", found: "\(found.count)")
        }
        for (entry, right) in zip(found, expected) {
            guard entry.id == right.id, entry.code == right.code, entry.amount == right.amount else {
                throw WrongAnswer(asked: asked, expected: "\(right)", found: "\(entry)")
            }
        }
    }
}
