import Foundation
import Larder
import Testing

@testable import AdapterTestSupport

/// The files of a store are moved one by one, and a kill may come between any two steps.
struct CutOverKillTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.files)
    func `what a killed process has left beside the store goes with it and comes back`(
        _ engine: Engine
    ) throws {
        let (source, _, cutOver) = try folder.copiedAfterKill(engine)
        let (files, bytes) = (source.files, try folder.bytes("source"))
        #expect(files == (engine == .sqlite ? ["", "-wal", "-shm"] : ["", "-lock", "-writer"]))

        try cutOver.finalize()
        #expect(source.files == [])
        #expect(source.filesAside == files)
        #expect(try folder.bytes("source.before-transfer") == bytes)

        try cutOver.rollBack()
        #expect(source.files == files)
        #expect(source.filesAside == [])
        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files, [1, 2])
    func `the main file goes first and comes back last`(_ engine: Engine, _ number: Int) throws {
        let (source, _, cutOver) = try folder.copiedAfterKill(engine)
        let files = source.files
        let path = source.address.location
        // Something in the place of one file stops the moving there, as a kill would.
        let obstacle = URL(fileURLWithPath: path + StoreCutOver.suffix + files[number])
        try Data("mine".utf8).write(to: obstacle)

        #expect(thrownCode { try cutOver.finalize() } == .destinationExists)
        #expect(source.files == Array(files[number...]))
        #expect(try cutOver.state() == .finalized)
        try FileManager.default.removeItem(at: obstacle)
        try cutOver.finalize()
        #expect(source.filesAside == files)

        let other = URL(fileURLWithPath: path + files[number])
        try Data("mine".utf8).write(to: other)
        #expect(thrownCode { try cutOver.rollBack() } == .destinationExists)
        #expect(source.filesAside == Array(files[...number]))
        #expect(try cutOver.state() == .finalized)
        try FileManager.default.removeItem(at: other)
        try cutOver.rollBack()
        #expect(source.files == files)
        #expect(try Cargo.isWhole(in: source))
    }

    /// What is done when a cut-over has died.
    enum Continuation: CaseIterable {
        case again, other
    }

    @Test(arguments: Engine.files, [false, true])
    func `a cut-over that dies between any two steps is finished, or taken back, by the next call`(
        _ engine: Engine, _ goesBack: Bool
    ) throws {
        for continuation in Continuation.allCases {
            // A link made, then the old name removed, file by file.
            for step in 0...6 {
                let name = "source-\(continuation)-\(step)"
                let (source, _, cutOver) = try folder.copiedAfterKill(engine, name)
                let files = source.files
                if goesBack { try cutOver.finalize() }
                for step in try Self.steps(of: source, files, goesBack).prefix(step) { try step() }

                let endsInPlace = goesBack == (continuation == .again)
                if endsInPlace { try cutOver.rollBack() } else { try cutOver.finalize() }

                let comment: Comment = "\(continuation), step \(step)"
                #expect(try cutOver.state() == (endsInPlace ? .begun : .finalized), comment)
                #expect(source.files == (endsInPlace ? files : []), comment)
                #expect(source.filesAside == (endsInPlace ? [] : files), comment)
                if !endsInPlace { try cutOver.rollBack() }
                #expect(try Cargo.isWhole(in: source), comment)
            }
        }
    }

    /// What a cut-over does to the names of the files, one call of the system after the other.
    private static func steps(
        of source: Place, _ files: [String], _ goesBack: Bool
    ) throws -> [() throws -> Void] {
        let path = source.address.location
        let aside = path + StoreCutOver.suffix
        return (goesBack ? files.reversed() : files).flatMap { suffix -> [() throws -> Void] in
            let (from, to) = goesBack ? (aside + suffix, path + suffix) : (path + suffix, aside + suffix)
            return [
                { try FileManager.default.linkItem(atPath: from, toPath: to) },
                { try FileManager.default.removeItem(atPath: from) },
            ]
        }
    }
}
