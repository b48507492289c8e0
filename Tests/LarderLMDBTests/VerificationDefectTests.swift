import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderLMDB

/// Each kind of damage is found and named.
@Suite struct `The check of a damaged file` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: VerificationPlant.all)
    func `names the defect`(_ plant: VerificationPlant) throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        #expect(try LMDBFileCheck.problems(inFileAt: path) == [])
        var image = try VerificationImage(path)

        let expected = plant.plant(&image)
        try image.write(to: path)
        let problems = try LMDBFileCheck.problems(inFileAt: path)

        #expect(problems.contains(expected), "\(problems)")
        #expect(problems.count <= Findings.limit)
        #expect(try VerificationImage(path).bytes == image.bytes)
    }

    @Test func `throws the first problem and how many more there are`() throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        var image = try VerificationImage(path)
        for name in ["bytes", "large", "numbers"] {
            image[image.table(name) + VerificationImage.RecordPlace.flags, as: UInt16.self] = 0x20
        }
        try image.write(to: path)

        let error = #expect(throws: DataStoreError.self) { try LMDBFileCheck.requireSound(fileAt: path) }

        #expect(error?.code == .damaged)
        #expect(error?.path == path)
        #expect(
            error?.message
                == "The file is damaged: The record of the table \"bytes\" is wrong: it has the flags 0x20, "
                + "which Larder does not use. (And 2 more.)")
    }

    @Test func `is silent about a meta page that a crash has left torn`() throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        var image = try VerificationImage(path)
        let older = VerificationImage.meta(1 - image.newestPage)
        // All that a commit writes but the transaction's number and the page size, which stays the same.
        for offset in (older + 28)..<(older + 128) { image.bytes[offset] = 0xAA }
        try image.write(to: path)

        try LMDBFileCheck.requireSound(fileAt: path)

        let child = try VerificationChild()
        #expect(child.use(path) == .fine)
    }

    @Test(arguments: [0, 1, 151, 152, 4095, 8191])
    func `finds a file of zeros or noise too short`(_ count: Int) throws {
        var random = Seed(6)
        for bytes in [[UInt8](repeating: 0, count: count), random.bytes(count)] {
            let path = folder.path("store")
            try Data(bytes).write(to: URL(fileURLWithPath: path))

            #expect(try LMDBFileCheck.problems(inFileAt: path).count == 1)
        }
    }

    @Test func `says which path cannot be read`() throws {
        let missing = folder.path("missing")

        let absent = #expect(throws: DataStoreError.self) { try LMDBFileCheck.problems(inFileAt: missing) }
        let wrong = #expect(throws: DataStoreError.self) { try LMDBFileCheck.problems(inFileAt: "/") }

        #expect(absent?.code == .cannotOpen)
        #expect(absent?.path == missing)
        #expect(wrong?.code == .cannotOpen)
    }

    @Test func `does not walk a file that has no room to list the pages beyond its end`() throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        var image = try VerificationImage(path)
        let (pages, room) = (UInt64(image.pageCount), UInt64(image.bytes.count / 8))
        image[image.newest + VerificationImage.MetaPlace.mapBytes, as: UInt64.self] = 1 << 60
        // Only the walk finds pages that are neither used nor free.
        let cases: [(lastPage: UInt64, lostPages: UInt64)] = [
            (pages + room - 1, room), (pages + room, 0), (1 << 40, 0),
        ]

        for (lastPage, lostPages) in cases {
            image[image.newest + VerificationImage.MetaPlace.lastPage, as: UInt64.self] = lastPage
            try image.write(to: path)
            let report = try LMDBFileCheck.report(onFileAt: path)

            let problem =
                "The file has \(pages) pages, and its newest transaction uses pages up to \(lastPage)."
            #expect(report == LMDBFileReport(problems: [problem], lostPages: lostPages))
        }
    }

    @Test func `counts pages that are lost, which harms nobody`() throws {
        let path = folder.path("store")
        try VerificationPlant.makeFile(path)
        var image = try VerificationImage(path)
        let (_, value) = image.freeListEntry
        let count: UInt64 = image[value]
        image[value, as: UInt64.self] = 0
        try image.write(to: path)

        let report = try LMDBFileCheck.report(onFileAt: path)

        #expect(report == LMDBFileReport(problems: [], lostPages: count))
    }
}
