// A process of its own for the tests: writes to a store until it is done, or killed.
//
//     StoreProcess ENGINE append PATH           blocks one after the other; prints each number once it is
//   committed
//     StoreProcess ENGINE merge PATH            the same blocks, each by a child that is merged
//     StoreProcess ENGINE flood PATH            the same with blocks that wait together and share commits
//     StoreProcess ENGINE increment PATH TIMES  adds one to a counter, each time in a block of its own,
//   closes the store, and prints "done"
//     StoreProcess ENGINE step PATH             prints "ready", then adds an entry for each line that it is given,
//   and prints its number once it is committed
//     StoreProcess ENGINE extend PATH           opens the store with one more item type, which changes its schema
//     StoreProcess ENGINE identify PATH TIMES   prints its number in identifiers, waits for a line, and inserts so many
//   entries with identifiers of its own, each in a block
//     StoreProcess ENGINE pairs PATH WRITER TIMES  moves amounts between pairs of entries in so many blocks,
//   and prints the number of each once it is committed
//     StoreProcess ENGINE obey PATH             prints "ready", then does as each line says: `write NUMBER`
//   inserts an entry, `read` prints the identifiers of all; errors are printed and do not end it
//     StoreProcess ENGINE hold PATH             prints "inside" in a write block and stays there
//     StoreProcess ENGINE read PATH             prints "inside" in a read block and stays there
//     StoreProcess ENGINE transfer PATH ENGINE PATH  copies a store, saying how far it is and
//   waiting for a line each time, and "done" at the end
//     StoreProcess ENGINE migrate PATH          opens the store by a schema step, saying how far it is and
//   waiting for a line each time, and "done" at the end
//     StoreProcess ENGINE upgrade PATH          the same by two steps in a copy of the store, keeping the old one
//     StoreProcess ENGINE begin PATH SOURCE     prints "ready", opens a store that begins with a copy of another, and
//   prints "done"
//     StoreProcess routed route PATH            commits blocks over SQLite and LMDB, as `append`
//     StoreProcess routed move PATH             commits blocks that move entries between the two, as `append`
//     StoreProcess routed deal PATH             prints "ready", opens a store whose entries go to the two, and prints
//   "done"
//     StoreProcess routed upgrade PATH          the same as `migrate` by a step over SQLite and LMDB
//
// The engine is `sqlite`, `lmdb` or `postgresql`, whose store is on the tests' server and belongs to the path.
//
//     StoreProcess use                          reads and changes the LMDB files whose paths it is given, without Larder

import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer
import ProcessFixtures

func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

func lastBlock(in store: any DataStore) throws -> Int64 {
    try store.read { try $0.firstItem(for: Entry.all.sorted(by: \.block, .descending))?.block ?? 0 }
}

/// Commits block after block, saying which is begun and which is acknowledged.
func append(to store: any DataStore) throws {
    for block in try lastBlock(in: store).advanced(by: 1)... {
        say("begin \(block)")
        try store.writeSync { try $0.insert(contentsOf: Entry.entries(ofBlock: block)) }
        say("done \(block)")
    }
}

/// Commits block after block over two engines, saying which is begun and which is acknowledged.
func route(at url: URL) throws {
    let store = RoutedPlace.makeStore(at: url)
    try store.setup()
    for block in try lastBlock(in: store).advanced(by: 1)... {
        say("begin \(block)")
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: Entry.entries(ofBlock: block))
            try accessor.insert(Remark(block))
        }
        say("done \(block)")
    }
}

/// Commits block after block, each of which moves every entry to another engine, saying which is begun and which is
/// acknowledged.
func move(at url: URL) throws {
    let store = RoutedPlace.makePartitionedStore(at: url)
    try store.setup()
    for block in try lastBlock(in: store).advanced(by: 1)... {
        say("begin \(block)")
        try store.writeSync { try RoutedPlace.move(toBlock: block, in: $0) }
        say("done \(block)")
    }
}

/// Opens a store and closes it, saying when this begins and ends.
func open(_ store: any DataStore) throws {
    say("ready")
    try store.setup()
    try store.tearDown()
    say("done")
}

/// Commits block after block, each by a child of the store, saying which is begun and which is acknowledged.
func merge(into store: any DataStore) throws {
    for block in try lastBlock(in: store).advanced(by: 1)... {
        let child = try store.makeChildDataStore()
        try child.writeSync { try $0.insert(contentsOf: Entry.entries(ofBlock: block)) }
        say("begin \(block)")
        try store.merge(child)
        say("done \(block)")
    }
}

/// Gives blocks faster than they are committed, saying which is acknowledged; ends only by an error.
///
/// As many wait as the store allows, so that each commit is that of several blocks.
func flood(_ store: any DataStore) throws {
    for block in try lastBlock(in: store).advanced(by: 1)... {
        store.writeAsync { accessor in
            try accessor.insert(contentsOf: Entry.entries(ofBlock: block))
            return block
        } completion: { result in
            switch result {
            case .success(let block): say("done \(block)")
            case .failure(let error):
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
}

func increment(_ store: any DataStore, times: Int) throws {
    for _ in 0..<times {
        try store.writeSync { accessor in
            if let counter = try accessor.mutableItem(id: 0, of: Entry.self) {
                counter.block += 1
            } else {
                try accessor.insert(Entry(id: 0, block: 1, text: "counter"))
            }
        }
    }
    try store.tearDown()
    say("done")
}

func identify(_ store: any DataStore, times: Int) throws {
    say("\(ItemID<Entry>().rawValue >> 12 & 0x3FF)")
    _ = readLine()
    for _ in 0..<times {
        try store.writeSync { accessor in
            try accessor.insert(Entry(id: ItemID<Entry>().rawValue, block: 1, text: ""))
        }
    }
}

func step(_ store: any DataStore) throws {
    say("ready")
    var block = try lastBlock(in: store)
    while readLine() != nil {
        block += 1
        try store.writeSync { [block] in try $0.insert(Entry(id: 1000 + block, block: block, text: "")) }
        say("done \(block)")
    }
}

func movePairs(in store: any DataStore, writer: Int64, times: Int64) throws {
    for number in 0..<times {
        try store.writeSync { try EntryPairs.move(number, of: writer, in: $0) }
        say("done \(number)")
    }
}

func obey(_ store: any DataStore) throws {
    say("ready")
    while let line = readLine() {
        let words = line.split(separator: " ")
        do {
            if let number = words.count == 2 ? Int64(words[1]) : nil {
                try store.writeSync { try $0.insert(Entry(id: number, block: number, text: "")) }
                say("done")
            } else {
                let ids = try store.read { try $0.ids(for: Entry.all) }
                say(ids.map { String($0) }.joined(separator: " "))
            }
        } catch let error as DataStoreError {
            say("error \(error.code.rawValue)")
        }
    }
}

func hold(_ store: any DataStore) throws {
    try store.writeSync { accessor in
        try accessor.insert(Entry(id: -1, block: 0, text: "never committed"))
        say("inside")
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }
}

func read(_ store: any DataStore) throws {
    try store.read { accessor in
        _ = try accessor.countItems(for: Entry.all)
        say("inside")
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }
}

func transfer(from source: StoreAddress, to destination: StoreAddress) throws {
    var transfer = StoreTransfer(from: source, to: destination)
    transfer.options.itemsPerBatch = 20
    transfer.options.progress = { progress in
        say("\(progress.phase) \(progress.done)")
        _ = readLine()
    }
    _ = try transfer.run()
    say("done")
}

func migrate(_ engine: String, at url: URL) throws {
    let options = LaterEntry.options { place in
        say(place)
        _ = readLine()
    }
    let store: any DataStore =
        switch engine {
        case "lmdb": LMDBDataStore(at: url, storing: [LaterEntry.self], storeOptions: options)
        case "postgresql": ServerPlace.makeStore(at: url, storing: [LaterEntry.self], storeOptions: options)
        default: SQLiteDataStore(at: url, storing: [LaterEntry.self], storeOptions: options)
        }
    try store.setup()
    try store.tearDown()
    say("done")
}

func upgrade(_ engine: String, at url: URL) throws {
    let pause: @Sendable (String) -> Void = { place in
        say(place)
        _ = readLine()
    }
    let options = EntryHistory.options(pausing: pause)
    let history = EntryHistory.history { _ in }
    let store: any DataStore =
        switch engine {
        case "lmdb": LMDBDataStore(at: url, storing: history, storeOptions: options)
        case "postgresql": ServerPlace.makeStore(at: url, storing: history, storeOptions: options)
        default: SQLiteDataStore(at: url, storing: history, storeOptions: options)
        }
    try store.setup()
    try store.tearDown()
    say("done")
}

/// Upgrades a store over two engines, saying how far it is and waiting for a line each time.
func upgradeRouted(at url: URL) throws {
    let store = RoutedPlace.makeStore(at: url, version: 2) { place in
        say(place)
        _ = readLine()
    }
    try store.setup()
    try store.tearDown()
    say("done")
}

func address(_ engine: String, _ path: String) throws -> StoreAddress {
    switch engine {
    case "sqlite": return .sqlite(at: URL(fileURLWithPath: path))
    case "lmdb": return .lmdb(at: URL(fileURLWithPath: path))
    case "postgresql": return ServerPlace.address(at: URL(fileURLWithPath: path))
    default: throw CocoaError(.featureUnsupported)
    }
}

func makeStore(
    _ engine: String, at url: URL, storing types: [any DataStoreItem.Type], isCrowded: Bool,
    connectTimeout: Duration
) throws -> any DataStore {
    // Processes that wait for each other: what is tried is not how fast they are.
    let busyTimeout: Duration = isCrowded ? .seconds(600) : .seconds(5)
    switch engine {
    case "sqlite" where isCrowded:
        return SQLiteDataStore(
            at: url, storing: types, options: SQLiteOptions(durability: .normal, busyTimeout: busyTimeout))
    case "lmdb" where isCrowded:
        return LMDBDataStore(
            at: url, storing: types, options: LMDBOptions(durability: .normal, busyTimeout: busyTimeout))
    case "sqlite": return SQLiteDataStore(at: url, storing: types)
    case "lmdb": return LMDBDataStore(at: url, storing: types)
    case "postgresql":
        return ServerPlace.makeStore(
            at: url, storing: types, busyTimeout: busyTimeout,
            connectTimeout: isCrowded ? busyTimeout : connectTimeout)
    default: throw CocoaError(.featureUnsupported)
    }
}

do {
    let arguments = CommandLine.arguments
    if arguments[1] == "use" {
        try LMDBFileUse.run()
        exit(0)
    }
    if arguments[2] == "transfer" {
        try transfer(
            from: address(arguments[1], arguments[3]), to: address(arguments[4], arguments[5]))
        exit(0)
    }
    if arguments[2] == "route" {
        try route(at: URL(fileURLWithPath: arguments[3]))
        exit(0)
    }
    if arguments[2] == "move" {
        try move(at: URL(fileURLWithPath: arguments[3]))
        exit(0)
    }
    if arguments[2] == "deal" {
        try open(RoutedPlace.makePartitionedStore(at: URL(fileURLWithPath: arguments[3])))
        exit(0)
    }
    if arguments[2] == "begin" {
        let (place, source) = (URL(fileURLWithPath: arguments[3]), URL(fileURLWithPath: arguments[4]))
        try open(PrepopulatedPlace.makeStore(arguments[1], at: place, from: source))
        exit(0)
    }
    if arguments[1] == "routed", arguments[2] == "upgrade" {
        try upgradeRouted(at: URL(fileURLWithPath: arguments[3]))
        exit(0)
    }
    if arguments[2] == "migrate" {
        try migrate(arguments[1], at: URL(fileURLWithPath: arguments[3]))
        exit(0)
    }
    if arguments[2] == "upgrade" {
        try upgrade(arguments[1], at: URL(fileURLWithPath: arguments[3]))
        exit(0)
    }
    let store = try makeStore(
        arguments[1], at: URL(fileURLWithPath: arguments[3]),
        storing: arguments[2] == "extend" ? [Entry.self, Remark.self] : [Entry.self],
        isCrowded: ["identify", "increment", "pairs"].contains(arguments[2]),
        // A host that is cut off is soon given up.
        connectTimeout: arguments[2] == "obey" ? .seconds(1) : .seconds(10))
    try store.setup()
    switch arguments[2] {
    case "append": try append(to: store)
    case "merge": try merge(into: store)
    case "pairs":
        try movePairs(in: store, writer: Int64(arguments[4]) ?? 0, times: Int64(arguments[5]) ?? 0)
    case "obey": try obey(store)
    case "flood": try flood(store)
    case "increment": try increment(store, times: Int(arguments[4]) ?? 0)
    case "identify": try identify(store, times: Int(arguments[4]) ?? 0)
    case "step": try step(store)
    case "extend": say("done")
    case "hold": try hold(store)
    case "read": try read(store)
    default: throw CocoaError(.featureUnsupported)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
