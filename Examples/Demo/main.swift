// The main job of Larder on real data: fill a store, query it, move to another engine, get the same answers.

import Foundation
import Larder
import LarderMemory
import LarderSQLite

do {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == Move.argument, arguments.count == 3 {
        let files = arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        try Move(sqlite: files[0], lmdb: files[1]).copySlowly()
    } else {
        try Demo(tables: URL(fileURLWithPath: arguments.first ?? "/usr/share/iso-codes/json")).run()
    }
} catch {
    FileHandle.standardError.write(Data("The demo failed: \(error)\n".utf8))
    exit(1)
}
