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
        ContenderEntry(name: .grdb) { folder, options in
            try GRDBContender(in: folder, options: options)
        },
        ContenderEntry(name: .larderSQLite) { folder, options in
            try LarderEngines.sqlite(in: folder, options: options)
        },
        ContenderEntry(name: .larderMemory) { _, options in
            try LarderEngines.memory(options: options)
        },
    ]
}
