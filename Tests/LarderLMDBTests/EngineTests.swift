import Foundation
import Larder
import LarderFiles
import LarderKeyValue
import LarderLMDB
import Testing
@testable import AdapterTestSupport

/// The engine at its own seam: what no item ever asks of it, and other engines may.
@Suite struct `The key-value engine` {
    let folder: TemporaryFolder
    let engine: LMDBEngine

    init() throws {
        folder = try TemporaryFolder()
        engine = LMDBEngine(at: StorePlace(folder.file("store.mdb")), newTables: 8, options: .forTests)
        try engine.open()
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func write<Result>(_ body: (any KeyValueTransaction) throws -> Result) throws -> Result {
        let transaction = try engine.beginWriting()
        defer { transaction.end() }
        let result = try body(transaction)
        try transaction.commit()
        return result
    }

    @Test(arguments: [0, 1, 511, 512, 5000])
    func `keys have 1 to 511 bytes`(_ count: Int) throws {
        let key = [UInt8](repeating: 7, count: count)
        let isPossible = (1...511).contains(count)
        let transaction = try engine.beginWriting()
        defer { transaction.end() }
        let table = try transaction.makeTable(named: "t", .bytes)

        let refused = thrown { try transaction.put("v", at: key, in: table) }

        #expect(refused?.code == (isPossible ? nil : .valueTooLarge))
        #expect(try transaction.text(at: key, in: table) == (isPossible ? "v" : nil))
        #expect(try transaction.delete(key, in: table) == isPossible)
        // Nothing was lost by it.
        try transaction.put("w", at: bytes("key"), in: table)
        try transaction.commit()
        #expect(try read { try $0.text(at: self.bytes("key"), in: table) } == "w")
    }

    private func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
        let snapshot = try engine.beginReading()
        defer { snapshot.end() }
        return try body(snapshot)
    }

    @Test func `an integer key has 8 bytes`() throws {
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .integer)
            #expect(code { try transaction.put("v", at: bytes("four"), in: table) } == .valueTooLarge)
        }
    }

    @Test func `keys of a table of bytes that rise now and then come back in their order`() throws {
        var random = Seed.ofProcess()
        var kept: Set<[UInt8]> = []
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            var highest = 0
            for number in 0..<3000 {
                // Mostly one that is higher than all others, also a beginning of one, else any.
                let isHigher = Int.random(in: 0..<4, using: &random) > 0
                if isHigher { highest += Int.random(in: 1...3, using: &random) }
                let value = isHigher ? highest : Int.random(in: 0...highest, using: &random)
                var key = withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
                key += Array(repeating: 0, count: Int.random(in: 0...2, using: &random))
                try transaction.put("v", at: key, in: table)
                kept.insert(key)
                if number % 50 == 0, let last = kept.max(by: { $0.lexicographicallyPrecedes($1) }) {
                    #expect(try transaction.delete(last, in: table))
                    kept.remove(last)
                }
                if number % 500 == 499 {
                    try transaction.setSavepoint()
                    try transaction.put("v", at: [0xFF, UInt8(number / 500)], in: table)
                    try transaction.rollBackToSavepoint()
                }
            }
            let cursor = try transaction.cursor(over: table)
            defer { cursor.close() }
            var found: [[UInt8]] = []
            var entry = KeyValueEntry()
            var isFound = try cursor.first(&entry)
            while isFound {
                found.append(Array(entry.key))
                isFound = try cursor.next(&entry)
            }
            #expect(found == kept.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test func `keys that begin alike are noticed as they are put`() throws {
        var random = Seed.ofProcess()
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            let other = try transaction.makeTable(named: "u", .bytes)
            // Pages split and are freed, the first and the last entry among them.
            var kept: [UInt16: Set<[UInt8]>] = [:]
            for number in 0..<4000 {
                let value = UInt16.random(in: 0..<1500, using: &random)
                let start = withUnsafeBytes(of: value.bigEndian) { Array($0) }
                let key = start + (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
                if number % 100 == 99 { try transaction.setSavepoint() }
                try transaction.put("v", at: key, in: table)
                let isTwin = kept[value, default: []].isEmpty == false
                #expect(try transaction.hasSeveral(start, in: table) == isTwin, "\(number)")
                switch number % 100 {
                case 99: try transaction.rollBackToSavepoint()
                case 50:
                    try transaction.setSavepoint()
                    try transaction.put("v", at: key, in: other)
                    try transaction.releaseSavepoint()
                    kept[value, default: []].insert(key)
                default: kept[value, default: []].insert(key)
                }
                guard number % 3 == 0, let gone = kept.keys.min(), let keys = kept.removeValue(forKey: gone)
                else { continue }
                for key in keys { #expect(try transaction.delete(key, in: table)) }
                let first = withUnsafeBytes(of: gone.bigEndian) { Array($0) }
                #expect(try transaction.hasSeveral(first, in: table) == false)
            }
            #expect(try transaction.count(of: other) == 40)
        }
    }

    @Test func `a twin is noticed at either end of a table`() throws {
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            func hasTwin(afterPutting key: String) throws -> Bool {
                try transaction.put("v", at: Array(key.utf8), in: table)
                return try transaction.hasSeveral(Array(key.utf8.prefix(1)), in: table)
            }
            #expect(
                try ["b5", "c1", "b3", "c3", "a1", "d1"].map(hasTwin) == [
                    false, false, true, true, false, false,
                ])
        }
    }

    @Test func `a large value comes back whole`() throws {
        let value = String(repeating: "large ", count: 2 << 20)
        let table = try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            try transaction.put(value, at: bytes("key"), in: table)
            return table
        }

        #expect(try read { try $0.text(at: self.bytes("key"), in: table) } == value)
    }

    @Test func `a cursor keeps its place while savepoints come and go`() throws {
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            let other = try transaction.makeTable(named: "u", .bytes)
            for letter in "abcdefgh" { try transaction.put("\(letter)", at: bytes("\(letter)"), in: table) }
            let cursor = try transaction.cursor(over: table)
            defer { cursor.close() }
            var entry = KeyValueEntry()
            #expect(try cursor.first(&entry))

            var seen = ""
            for step in 0..<7 {
                try transaction.setSavepoint()
                try transaction.put("x", at: bytes("\(step)"), in: other)
                if step % 2 == 0 { #expect(try cursor.next(&entry)) }
                if step % 3 == 0 {
                    try transaction.releaseSavepoint()
                } else {
                    try transaction.rollBackToSavepoint()
                }
                if step % 2 == 1 { #expect(try cursor.next(&entry)) }
                seen += String(decoding: entry.key, as: UTF8.self)
            }
            #expect(seen == "bcdefgh")
            try transaction.setSavepoint()
            #expect(try cursor.next(&entry) == false)
            try transaction.releaseSavepoint()
            #expect(try cursor.last(&entry))
            try transaction.setSavepoint()
            #expect(try cursor.previous(&entry))
            try transaction.rollBackToSavepoint()
            #expect(try cursor.previous(&entry))
            #expect(String(decoding: entry.key, as: UTF8.self) == "f")
            #expect(try transaction.count(of: other) == 3)
        }
    }

    @Test(arguments: [true, false])
    func `a cursor gives several entries at once, also behind a savepoint`(isAscending: Bool) throws {
        try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            for letter in "abcdefghij" { try transaction.put("\(letter)", at: bytes("\(letter)"), in: table) }
            let cursor = try transaction.cursor(over: table)
            defer { cursor.close() }
            var entry = KeyValueEntry()
            #expect(isAscending ? try cursor.first(&entry) : try cursor.last(&entry))

            var seen: [String] = []
            for _ in 0..<3 {
                try transaction.setSavepoint()
                var entries = [KeyValueEntry](repeating: KeyValueEntry(), count: 4)
                let count = try entries.withUnsafeMutableBufferPointer {
                    try cursor.next($0, isAscending: isAscending)
                }
                seen.append(entries.prefix(count).map { String(decoding: $0.value, as: UTF8.self) }.joined())
                try transaction.rollBackToSavepoint()
            }

            #expect(seen == (isAscending ? ["bcde", "fghi", "j"] : ["ihgf", "edcb", "a"]))
        }
    }

    @Test func `a cursor that was not closed does not outlive its snapshot`() throws {
        let table = try write { transaction in
            let table = try transaction.makeTable(named: "t", .bytes)
            try transaction.put("v", at: bytes("key"), in: table)
            return table
        }
        let snapshot = try engine.beginReading()
        let cursor = try snapshot.cursor(over: table)
        snapshot.end()

        var entry = KeyValueEntry()
        #expect(code { try cursor.first(&entry) } == .closed)
        #expect(code { try snapshot.count(of: table) } == .closed)
        cursor.close()
        snapshot.end()
        #expect(try read { try $0.count(of: table) } == 1)
    }

    @Test func `a table made in a transaction that ends without a commit is not there`() throws {
        let transaction = try engine.beginWriting()
        _ = try transaction.makeTable(named: "gone", .bytes)
        transaction.end()

        #expect(try read { try $0.table(named: "gone", .bytes) } == nil)
        try write { transaction in
            #expect(try transaction.table(named: "gone", .bytes) == nil)
            let table = try transaction.makeTable(named: "gone", .bytes)
            try transaction.put("v", at: bytes("key"), in: table)
        }
        #expect(try read { try $0.count(of: try #require(try $0.table(named: "gone", .bytes))) } == 1)
    }

    @Test func `a table made behind a savepoint that is undone is not there`() throws {
        try write { transaction in
            let kept = try transaction.makeTable(named: "kept", .bytes)
            try transaction.setSavepoint()
            _ = try transaction.makeTable(named: "gone", .bytes)
            try transaction.rollBackToSavepoint()
            #expect(try transaction.table(named: "gone", .bytes) == nil)
            try transaction.put("v", at: bytes("key"), in: kept)
        }

        #expect(try read { try $0.table(named: "gone", .bytes) } == nil)
        #expect(try read { try $0.count(of: try #require(try $0.table(named: "kept", .bytes))) } == 1)
    }

    @Test func `a removed table is gone and its name can be used for keys of another kind`() throws {
        try write { _ = try $0.makeTable(named: "t", .bytes) }
        #expect(code { try read { try $0.table(named: "t", .integer) } } == .damaged)

        try write { transaction in
            try transaction.removeTable(try #require(try transaction.table(named: "t", .bytes)))
            #expect(try transaction.table(named: "t", .bytes) == nil)
        }
        #expect(try read { try $0.table(named: "t", .bytes) } == nil)

        let table = try write { try $0.makeTable(named: "t", .integer) }
        #expect(table.keys == .integer)
        try engine.close()
        try engine.open()
        #expect(try read { try $0.table(named: "t", .integer) } != nil)
    }

    @Test func `integer keys are kept in order however they come`() throws {
        var seed = Seed.ofProcess()
        var model: [UInt64: String] = [:]
        let table = try write { try $0.makeTable(named: "t", .integer) }
        for round in 0..<30 {
            var next = model.keys.max() ?? 0
            try write { transaction in
                for _ in 0..<200 {
                    try change(&model, in: table, next: &next, transaction, &seed)
                }
            }
            let expected = model.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let found = try read { try $0.entries(of: table) }
            #expect(found == expected, "round \(round)")
        }
    }

    /// Does one thing at random: a rising key mostly, any key, a deletion, a savepoint that is undone.
    private func change(
        _ model: inout [UInt64: String], in table: KeyValueTable, next: inout UInt64,
        _ transaction: any KeyValueTransaction, _ seed: inout Seed
    ) throws {
        let value = String(seed.next() % 1000)
        switch Int.random(in: 0..<20, using: &seed) {
        case 0:
            let key = model.keys.sorted().randomElement(using: &seed) ?? 0
            #expect(try transaction.delete(key.key, in: table) == (model.removeValue(forKey: key) != nil))
        case 1:
            try transaction.setSavepoint()
            try transaction.put("undone", at: (next + 1).key, in: table)
            try transaction.put("undone", at: (next + 2).key, in: table)
            try transaction.rollBackToSavepoint()
        case 2:
            let key = UInt64.random(in: 0...(next + 10), using: &seed)
            try transaction.put(value, at: key.key, in: table)
            model[key] = value
        case 3:
            let key = UInt64.random(in: 0...(next + 10), using: &seed)
            let isNew = try transaction.put(value, at: key.key, in: table, overwrites: false)
            #expect(isNew == (model[key] == nil))
            if isNew { model[key] = value }
        default:
            next += UInt64.random(in: 1...3, using: &seed)
            let isNew = try transaction.put(value, at: next.key, in: table, overwrites: false)
            #expect(isNew == (model[next] == nil))
            if isNew { model[next] = value }
        }
    }
}

extension UInt64 {
    /// The number as a key of an integer table.
    fileprivate var key: [UInt8] { withUnsafeBytes(of: self, Array.init) }
}

extension KeyValueSnapshot {
    fileprivate func text(at key: [UInt8], in table: KeyValueTable) throws -> String? {
        try key.withUnsafeBytes { key in
            try value(at: key, in: table).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    fileprivate func entries(of table: KeyValueTable) throws -> [String] {
        let cursor = try cursor(over: table)
        defer { cursor.close() }
        var entry = KeyValueEntry()
        var entries: [String] = []
        var isFound = try cursor.first(&entry)
        while isFound {
            let key = entry.key.loadUnaligned(as: UInt64.self)
            entries.append("\(key)=\(String(decoding: entry.value, as: UTF8.self))")
            isFound = try cursor.next(&entry)
        }
        return entries
    }
}

extension KeyValueTransaction {
    @discardableResult
    fileprivate func put(
        _ value: String, at key: [UInt8], in table: KeyValueTable, overwrites: Bool = true
    ) throws -> Bool {
        try Array(value.utf8).withUnsafeBytes { value in
            try key.withUnsafeBytes { try put(value, at: $0, in: table, overwrites: overwrites) }
        }
    }

    fileprivate func delete(_ key: [UInt8], in table: KeyValueTable) throws -> Bool {
        try key.withUnsafeBytes { try delete($0, in: table) }
    }

    fileprivate func hasSeveral(_ start: [UInt8], in table: KeyValueTable) throws -> Bool {
        try start.withUnsafeBytes { try hasSeveral(beginningWith: $0, in: table) }
    }
}
