// The main job of Larder on real data: fill a store, ask it, move to another engine, get the same answers.

import Foundation
import Larder
import LarderMemory
import LarderSQLite

do {
    let folder = CommandLine.arguments.dropFirst().first ?? "/usr/share/iso-codes/json"
    try Demo(tables: URL(fileURLWithPath: folder)).run()
} catch {
    FileHandle.standardError.write(Data("The demo failed: \(error)\n".utf8))
    exit(1)
}
