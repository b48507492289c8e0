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
}
