import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `The map of the file` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    /// A store as where there is next to no address space when it is opened.
    private func openTight(sizeLimit: Int? = nil) throws -> TestStore {
        var options = LMDBOptions.forTests
        options.sizeLimit = sizeLimit
        options.mapPolicy.first = 64 << 10
        options.mapPolicy.room = 1 << 20
        return try TestStore(at: url, options: options)
    }

    @Test func `new readings are held back for 250 ms at most so that it grows`() {
        #expect(LMDBOptions().mapPolicy.gapLimit == .milliseconds(250))
    }

    @Test(.enabled(if: Repetitions.sanitizer == nil, "a sanitizer leaves little address space"))
    func `is as large as the reserve without using disk`() throws {
        let store = try TestStore(at: url)

        #expect(try store.adapter.statistics().mapBytes == 1 << 40)
        #expect(try url.fileBytes < 1 << 20)
    }

    @Test func `grows beside many readers who see whole transactions`() throws {
        let store = try openTight()
        try store.insert([Recipe(1, rating: 0), Recipe(2, rating: 0)])
        let isDone = Locked(false)
        let torn = Locked(0)
        let reads = Locked(0)
        let note = String(repeating: "x", count: 3000)
        let reader: @Sendable () throws -> Void = {
            while !isDone.withLock({ $0 }) {
                try store.read { scope throws in
                    let first = try scope.item(Recipe.self, 1)?.rating
                    let count = try scope.items(Recipe.self, where: .isNull(column: 4)).count
                    let second = try scope.item(Recipe.self, 2)?.rating
                    if first != second || count != 2 { torn.withLock { $0 += 1 } }
                }
                reads.withLock { $0 += 1 }
            }
        }
        let writer: @Sendable () throws -> Void = {
            defer { isDone.withLock { $0 = true } }
            for number in 1...80 {
                try store.write { scope throws in
                    try scope.update(Recipe(1, rating: Double(number)), 2)
                    try scope.update(Recipe(2, rating: Double(number)), 2)
                    let first = Int64(number * 100)
                    try scope.insert((first..<(first + 60)).map { Recipe($0, note: note) })
                }
            }
        }

        try sideBySide([writer] + Array(repeating: reader, count: 8))

        #expect(torn.withLock { $0 } == 0)
        #expect(reads.withLock { $0 } > 0)
        let statistics = try store.adapter.statistics()
        #expect(statistics.itemCounts == ["Recipe": 2 + 80 * 60])
        #expect(statistics.fileBytes > 10 << 20)
        #expect(statistics.mapBytes >= statistics.fileBytes)
        #expect(try store.adapter.checkIntegrity() == [])
    }

    @Test func `that was too small for one block is larger for the next`() throws {
        let store = try openTight()
        let rows = (1...2000).map { Recipe($0, note: String(repeating: "x", count: 3000)) }

        var refusals = 0
        while code({ try store.insert(rows) }) == .storeFull { refusals += 1 }

        #expect(refusals > 0 && refusals < 6)
        #expect(try store.all(Recipe.self) == rows)
    }

    @Test func `that is smaller than the limit grows up to it`() throws {
        let store = try openTight(sizeLimit: 4 << 20)
        let note = String(repeating: "x", count: 3000)

        var (count, refusal) = (Int64(0), DataStoreError.Code?.none)
        while refusal == nil {
            refusal = code { try store.insert((1...50).map { Recipe(count + $0, note: note) }) }
            if refusal == nil { count += 50 }
        }

        #expect(refusal == .storeFull)
        #expect(try store.adapter.statistics().mapBytes == 4 << 20)
        #expect(try store.adapter.statistics().itemCounts == ["Recipe": Int(count)])
        #expect(try url.fileBytes > 2 << 20)
    }

    @Test func `does not grow under a reading that goes on`() throws {
        let store = try openTight()
        try store.insert([Recipe(1, note: "first")])
        let rows = (2...2000).map { Recipe($0, note: String(repeating: "x", count: 3000)) }
        let reading = try store.beginReading()
        #expect(try reading.item(Recipe.self, 1)?.note == "first")
        let mapBytes = try store.adapter.statistics().mapBytes

        for _ in 0..<3 { #expect(code { try store.insert(rows) } == .storeFull) }
        #expect(try store.adapter.statistics().mapBytes == mapBytes)
        #expect(try reading.item(Recipe.self, 1)?.note == "first")
        reading.transaction.end()

        try store.insert(rows)
        #expect(try store.adapter.statistics().mapBytes > mapBytes)
    }

    #if os(Linux)
        @Test(
            .enabled(if: Repetitions.sanitizer == nil, "a sanitizer leaves little address space"),
            arguments: [100, 192])
        func `is smaller where there is less address space and the store works`(megabytes: Int) async throws {
            await #expect(processExitsWith: .success) { [path = url.path as String, megabytes] in
                let room = try rlim_t(addressSpaceInUse() + (megabytes << 20))
                var limit = rlimit(rlim_cur: room, rlim_max: room)
                setrlimit(__rlimit_resource_t(9), &limit)  // RLIMIT_AS
                let store = try TestStore(at: URL(fileURLWithPath: path))
                try store.insert((1...1000).map { Recipe($0) })
                let mapBytes = try store.adapter.statistics().mapBytes
                guard mapBytes >= 1 << 20, mapBytes < 256 << 20 else { exit(2) }
                guard try store.all(Recipe.self).count == 1000 else { exit(3) }
                // The map cannot grow; the store works with what it has, until that is full.
                let note = String(repeating: "n", count: 1 << 20)
                var (count, code) = (0, DataStoreError.Code?.none)
                while code == nil, count < 300 {
                    do {
                        try store.insert([Recipe(Int64(2000 + count), note: note)])
                        count += 1
                    } catch let error as DataStoreError {
                        code = error.code
                    }
                }
                guard code == .storeFull, count >= 30 else { exit(4) }
                guard try store.adapter.statistics().itemCounts == ["Recipe": 1000 + count] else { exit(5) }
                guard try store.read({ try $0.item(Recipe.self, 1999 + Int64(count))?.note }) == note else {
                    exit(6)
                }
            }
        }
    #endif
}

#if os(Linux)
    /// How many bytes of address space the process uses.
    func addressSpaceInUse() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) * 4096
    }
#endif
