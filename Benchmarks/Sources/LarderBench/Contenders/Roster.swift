import Foundation

/// Who takes part, in the order of the table.
enum Roster {
    static let all: [ContenderEntry] = [
        ContenderEntry(name: .rawSQLite) { folder, options in
            try RawSQLiteContender(in: folder, options: options, settings: .asLarder)
        },
        ContenderEntry(name: .rawSQLiteOwnDefaults) { folder, options in
            try RawSQLiteContender(in: folder, options: options, settings: .ownDefaults)
        },
        ContenderEntry(name: .rawSQLiteOneCommitEach) { folder, options in
            try RawSQLiteContender(in: folder, options: options, settings: .asLarder, insertsPerCommit: 1)
        },
        ContenderEntry(name: .grdb) { folder, options in
            try GRDBContender<Restaurant>(in: folder, options: options)
        },
        ContenderEntry(name: .grdbCodable) { folder, options in
            try GRDBContender<CodableRestaurant>(in: folder, options: options)
        },
        ContenderEntry(name: .larderSQLite) { folder, options in
            try LarderEngines.sqlite(in: folder, options: options)
        },
        ContenderEntry(name: .rawLMDB) { folder, options in
            try RawLMDBContender(in: folder, options: options)
        },
        ContenderEntry(name: .rawLMDBOneCommitEach) { folder, options in
            try RawLMDBContender(in: folder, options: options, insertsPerCommit: 1)
        },
        ContenderEntry(name: .larderLMDB) { folder, options in
            try LarderEngines.lmdb(in: folder, options: options)
        },
        ContenderEntry(name: .plainSwift) { _, options in PlainSwiftContender(options: options) },
        ContenderEntry(name: .larderMemory) { _, options in
            try LarderEngines.memory(options: options)
        },
    ]

    static func entry(of name: ContenderName) -> ContenderEntry? {
        all.first { $0.name == name }
    }
}

/// A contender's name and the way to make it.
struct ContenderEntry: Sendable {
    let name: ContenderName
    let make: @Sendable (_ folder: URL, _ options: StoreOptions) throws -> any Contender
}
