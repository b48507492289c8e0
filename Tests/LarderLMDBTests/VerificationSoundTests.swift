import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderLMDB

/// What LMDB writes is sound, whatever it has been through.
@Suite struct `The check of a sound file` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: VerificationShape.all)
    func `finds nothing and changes nothing`(_ shape: VerificationShape) throws {
        let path = folder.path("store")
        try shape.make(VerificationEnvironment(path))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))

        let report = try LMDBFileCheck.report(onFileAt: path)

        #expect(report == LMDBFileReport(problems: [], lostPages: 0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(arguments: VerificationShape.all, [false, true])
    func `finds nothing in a copy LMDB has made`(_ shape: VerificationShape, _ isCompact: Bool) throws {
        let copy = folder.path("copy")
        let environment = try VerificationEnvironment(folder.path("store"))
        try shape.make(environment)
        try environment.copy(to: copy, compacting: isCompact)

        #expect(try LMDBFileCheck.report(onFileAt: copy) == LMDBFileReport(problems: [], lostPages: 0))
    }
}

/// The check sees what a killed process leaves, and what another one is doing.
@Suite struct `The check of a file in use` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `finds nothing after any of many random transactions`() throws {
        var random = Seed.ofProcess()
        let (path, copy) = (folder.path("store"), folder.path("copy"))
        let environment = try VerificationEnvironment(path)
        for round in Repetitions.rounds(60, long: 1500) {
            try environment.write { try Self.changeAtRandom($0, &random) }
            try Self.copyFile(path, copy)

            let report = try LMDBFileCheck.report(onFileAt: copy)

            #expect(report == LMDBFileReport(problems: [], lostPages: 0), "round \(round), \(random)")
            if !report.problems.isEmpty { return }
        }
    }

    @Test func `finds nothing where a killed transaction wrote its pages and no meta page`() throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        var random = Seed(8)
        var image = try VerificationImage(path)
        let (_, entry) = image.freeListEntry
        for index in 1...Int(image[entry, as: UInt64.self]) {
            let page = Int(image[entry + 8 * index, as: UInt64.self]) * VerificationImage.pageBytes
            image.bytes.replaceSubrange(page..<(page + 4096), with: random.bytes(4096))
        }
        image.bytes += random.bytes(10_000)
        try image.write(to: path)

        #expect(try LMDBFileCheck.report(onFileAt: path) == LMDBFileReport(problems: [], lostPages: 0))
        #expect(try VerificationChild().use(path) == .fine)
    }

    @Test func `is not misled by a writer`() throws {
        let path = folder.path("store")
        try VerificationShape.severalTables(VerificationEnvironment(path))
        let environment = try VerificationEnvironment(path)
        let seed = Seed.ofProcess()
        let writer = Thread { Self.writeUntilCancelled(environment, seed) }
        writer.start()
        defer { writer.cancel() }

        for _ in 0..<200 {
            let problems = try Self.problemsUnlessBusy(path)
            #expect(problems == [], "\(seed)")
        }
    }

    /// A writer may be faster than every attempt of the check.
    private static func problemsUnlessBusy(_ path: String) throws(DataStoreError) -> [String] {
        do throws(DataStoreError) {
            return try LMDBFileCheck.problems(inFileAt: path)
        } catch {
            guard error.code == .busy else { throw error }
            return []
        }
    }

    private static func writeUntilCancelled(_ environment: VerificationEnvironment, _ seed: Seed) {
        var random = seed
        while !Thread.current.isCancelled {
            do {
                let transaction = try environment.begin()
                try changeAtRandom(transaction, &random)
                try transaction.commit()
            } catch {
                return
            }
        }
    }

    private static func copyFile(_ path: String, _ copy: String) throws {
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: copy))
    }

    private static func changeAtRandom(
        _ transaction: VerificationTransaction, _ random: inout Seed
    ) throws {
        let numbers = try transaction.table("numbers", integers: true)
        let bytes = try transaction.table("bytes")
        for _ in 0..<Int.random(in: 1...150, using: &random) {
            let size = Int.random(in: 0...20, using: &random) == 0 ? 6000 : 150
            let value = [UInt8](repeating: 7, count: Int.random(in: 0...size, using: &random))
            let number = UInt64.random(in: 0...800, using: &random)
            let length = 1 + Int(number % 511)
            let key = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try transaction.put(number, value, in: numbers)
            case 1: try transaction.put(key, value, in: bytes)
            case 2: try transaction.delete(number, in: numbers)
            case 3: try transaction.delete(key, in: bytes)
            default: for next in UInt64(0)..<20 { try transaction.delete(number + next, in: numbers) }
            }
        }
        if Int.random(in: 0..<30, using: &random) == 0 { try transaction.drop(bytes, removing: false) }
    }
}
