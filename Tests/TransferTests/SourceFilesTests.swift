import Foundation
import Larder
import LarderFiles
import Testing

@testable import AdapterTestSupport
@testable import LarderTransfer

/// What limits the names under which the files of a store can be set aside.
struct SourceFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.files)
    func `without hard links the main file is moved, and the note takes its name`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        let bytes = try folder.bytes("source")
        let files = try SourceFiles(of: source.address, aside: StoreCutOver.suffix) {
            (newPath, path) throws(DataStoreError) in
            try FileAccess.move(path, to: newPath)
            return true
        }
        let tombstone = StoreTombstone(
            source: StoreReference(source.address, identity: try source.address.storedSchema()?.identity),
            destination: StoreReference(
                destination.address, identity: try destination.address.storedSchema()?.identity))

        try files.setAside(.inPlace, leaving: tombstone)

        guard case .aside(let note?) = try files.state() else {
            Issue.record("The store is not set aside")
            return
        }
        #expect(note.destination.identity == tombstone.destination.identity)
        #expect(try folder.bytes("source.before-transfer") == bytes)
        #expect(try cutOver.state() == .finalized)
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
    }

    /// With 235 bytes the main file could be set aside, and a file beside it could not.
    @Test(arguments: Engine.files, [235, 240])
    func `a store whose name is too long to be extended is not set aside`(
        _ engine: Engine, _ count: Int
    ) throws {
        let (source, _, cutOver) = try folder.copiedAfterKill(engine, String(repeating: "s", count: count))
        let (names, files) = (try folder.names, source.files)
        #expect(files.count == 3)

        let error = thrown { try cutOver.finalize() }

        #expect(error?.code == .cannotOpen)
        let limit = engine == .sqlite ? 231 : 232
        #expect(error?.advice.contains("at most \(limit) bytes") == true, "\(error?.description ?? "")")
        #expect(try folder.names == names)
        #expect(source.files == files)
        #expect(try cutOver.state() == .begun)
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `a store that was set aside under a long name is taken back`(_ engine: Engine) throws {
        let name = String(repeating: "s", count: 235)
        let (source, _, cutOver) = try folder.copied(engine, name)
        try FileManager.default.moveItem(
            at: folder.file(name), to: folder.file(name + StoreCutOver.suffix))
        #expect(try cutOver.state() == .finalized)

        try cutOver.rollBack(discardingChanges: true)

        #expect(try cutOver.state() == .begun)
        #expect(try Cargo.isWhole(in: source))
    }
}
