import Foundation
import Larder
import LarderTransfer
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
        #expect(source.files == [""])
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
        // A file of another store would be taken for one of the store that is set aside beside it.
        let obstacle = URL(fileURLWithPath: path + StoreCutOver.suffix + files[number])
        try Data("mine".utf8).write(to: obstacle)

        #expect(code { try cutOver.finalize() } == .destinationExists)
        #expect(source.files == files)
        #expect(try cutOver.state() == .begun)
        try cutOver.rollBack()
        #expect(source.files == files)
        #expect(try Data(contentsOf: obstacle) == Data("mine".utf8))
        try FileManager.default.removeItem(at: obstacle)
        try cutOver.finalize()
        #expect(source.filesAside == files)

        // Something in the place of one file stops the moving there, as a kill would.
        let other = URL(fileURLWithPath: path + files[number])
        try Data("mine".utf8).write(to: other)
        #expect(code { try cutOver.rollBack() } == .destinationExists)
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
            for step in 0...(goesBack ? 5 : 7) {
                let name = "source-\(continuation)-\(step)"
                let (source, _, cutOver) = try folder.copiedAfterKill(engine, name)
                let files = source.files
                try cutOver.finalize()
                let note = try folder.bytes(name)
                if !goesBack { try cutOver.rollBack() }
                let steps = goesBack ? backSteps(of: source, files) : steps(of: source, files, note)
                for step in steps.prefix(step) {
                    try step()
                    // Whatever is there: no app makes an empty store.
                    #expect(source.files.contains(""))
                }

                let endsInPlace = goesBack == (continuation == .again)
                if endsInPlace { try cutOver.rollBack() } else { try cutOver.finalize() }

                let comment: Comment = "\(continuation), step \(step)"
                #expect(try cutOver.state() == (endsInPlace ? .begun : .finalized), comment)
                #expect(source.files == (endsInPlace ? files : [""]), comment)
                #expect(source.filesAside == (endsInPlace ? [] : files), comment)
                if !endsInPlace {
                    #expect(try folder.bytes(name) == note, comment)
                    try cutOver.rollBack()
                }
                #expect(try Cargo.isWhole(in: source), comment)
            }
        }
    }

    /// What `finalize()` does to the names of the files, one call of the system after the other.
    private func steps(of source: Place, _ files: [String], _ note: Data) -> [() throws -> Void] {
        let path = source.address.location
        let aside = path + StoreCutOver.suffix
        // Of a process that is gone.
        let temporary = folder.path + "/.\((path as NSString).lastPathComponent).larder-new-0000000099999999"
        return [
            { try note.write(to: URL(fileURLWithPath: temporary)) },
            { try FileManager.default.linkItem(atPath: path, toPath: aside) },
            { #expect(rename(temporary, path) == 0) },
        ] + files.dropFirst().flatMap { Self.move(path + $0, to: aside + $0) }
    }

    /// The same of `rollBack()`.
    private func backSteps(of source: Place, _ files: [String]) -> [() throws -> Void] {
        let path = source.address.location
        let aside = path + StoreCutOver.suffix
        return files.dropFirst().reversed().flatMap { Self.move(aside + $0, to: path + $0) } + [
            { #expect(rename(aside, path) == 0) }
        ]
    }

    private static func move(_ path: String, to newPath: String) -> [() throws -> Void] {
        [
            { try FileManager.default.linkItem(atPath: path, toPath: newPath) },
            { try FileManager.default.removeItem(atPath: path) },
        ]
    }
}
