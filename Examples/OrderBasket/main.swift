// An order basket that is edited in a child store: edits can be undone, thrown away, or stored all at once,
// even if another user has changed the stored basket meanwhile.
//
//     swift run OrderBasket             // a basket in memory
//     swift run OrderBasket basket.db   // a basket in a SQLite file
//
// "help" lists the commands.

import Foundation
import Larder
import LarderMemory
import LarderSQLite

do {
    let store: any DataStore =
        if let file = CommandLine.arguments.dropFirst().first {
            SQLiteDataStore(at: URL(fileURLWithPath: file), storing: itemTypes)
        } else {
            MemoryDataStore(storing: itemTypes)
        }
    try store.setup()
    try store.writeSync { accessor in
        for product in products { try accessor.upsert(product) }
    }
    let isTerminal = isatty(FileHandle.standardInput.fileDescriptor) != 0
    let session = try Session(over: store) {
        // Not to the output, which holds the answers only.
        if isTerminal { FileHandle.standardError.write(Data("> ".utf8)) }
        return readLine()
    }
    try session.run()
    try store.tearDown()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
