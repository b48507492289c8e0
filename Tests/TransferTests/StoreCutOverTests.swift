import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// From the old store to the copy, and back.
struct StoreCutOverTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.files)
    func `the source is set aside under another name and taken back`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        let bytes = try folder.bytes("source")
        let names = try folder.names

        #expect(try cutOver.state() == .begun)
        try cutOver.finalize()

        #expect(try cutOver.state() == .finalized)
        #expect(try !folder.names.contains { $0 == "source" || $0.hasPrefix("source-") })
        #expect(try folder.bytes("source.before-transfer") == bytes)
        #expect(try Cargo.isWhole(in: destination))
        try cutOver.finalize()

        try cutOver.rollBack()
        #expect(try cutOver.state() == .begun)
        #expect(try folder.names.filter { $0.hasPrefix("source") } == names.filter { $0.hasPrefix("source") })
        #expect(try folder.bytes("source") == bytes)
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: Engine.files)
    func `a source that was written to since keeps its name`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        try source.withStore { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
        }
        let names = try folder.names

        #expect(thrownCode { try cutOver.finalize() } == .sourceChanged)
        #expect(try folder.names == names)
    }

    @Test(arguments: Engine.files)
    func `a destination that was written to is only left on request`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        try destination.withStore { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
        }

        #expect(thrownCode { try cutOver.rollBack() } == .destinationChanged)
        #expect(try cutOver.state() == .finalized)
        try cutOver.rollBack(discardingChanges: true)

        #expect(try Cargo.isWhole(in: source))
        #expect(try destination.withStore { try $0.read { try $0.countItems(for: Keyed<Int64>.all) } } == 26)
    }

    @Test
    func `what is no finished copy of the source sets nothing aside`() throws {
        let (source, other) = (folder.place(.sqlite, "source"), folder.place(.sqlite, "other"))
        try Cargo.fill(source)
        try Cargo.fill(other)
        let destination = folder.place(.lmdb, "destination")
        func code(_ source: Place, _ destination: Place) -> DataStoreError.Code? {
            thrownCode { try StoreCutOver(from: source.address, to: destination.address).finalize() }
        }

        #expect(code(source, destination) == .incompleteTransfer)
        #expect(code(source, other) == .incompleteTransfer)
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        _ = thrown {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: destination.address)).run()
        }
        #expect(code(source, destination) == .incompleteTransfer)
        _ = try StoreTransfer(from: source.address, to: destination.address).run()
        #expect(code(other, destination) == .incompleteTransfer)
        #expect(code(folder.place(.memory, "source"), destination) == .unsupported)
        #expect(try folder.names.filter { $0.contains("before") } == [])
    }

    @Test
    func `a name that is taken by another store set aside is not given twice`() throws {
        let (_, _, cutOver) = try folder.copied(.sqlite)
        try Cargo.fill(folder.place(.sqlite, "source.before-transfer"))

        #expect(thrownCode { try cutOver.finalize() } == .destinationExists)
        #expect(thrownCode { try cutOver.rollBack() } == .destinationExists)
    }
}
