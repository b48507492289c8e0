import Foundation
import Larder
import Testing

@testable import LarderConformance

/// From the old store to the copy, and back.
struct StoreCutOverTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [Engine.sqlite, .lmdb])
    func `the source is set aside under another name and taken back`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try copied(engine)
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

    @Test(arguments: [Engine.sqlite, .lmdb])
    func `the destination is tried as the app would open it`(_ engine: Engine) throws {
        let (_, destination, cutOver) = try copied(engine)

        try cutOver.probe()
        try cutOver.probe(destination.makeStore(storing: Cargo.types), storing: Cargo.types)

        try destination.withStore { store in
            try store.writeSync { _ = try $0.delete(id: 3, of: Keyed<Int64>.self) }
        }
        let error = thrown {
            try cutOver.probe(destination.makeStore(storing: Cargo.types), storing: Cargo.types)
        }
        #expect(error?.code == .transferMismatch)
        #expect(error?.message.hasPrefix("The app reads 24 items") == true)
    }

    @Test(arguments: [Engine.sqlite, .lmdb])
    func `a source that was written to since keeps its name`(_ engine: Engine) throws {
        let (source, _, cutOver) = try copied(engine)
        try source.withStore { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
        }
        let names = try folder.names

        #expect(thrownCode { try cutOver.finalize() } == .sourceChanged)
        #expect(try folder.names == names)
    }

    @Test(arguments: [Engine.sqlite, .lmdb])
    func `a destination that was written to is only left on request`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try copied(engine)
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

    @Test(arguments: [Engine.sqlite, .lmdb], [false, true])
    func `a cut-over that dies between any two steps is finished by the next call`(
        _ engine: Engine, _ goesBack: Bool
    ) throws {
        // As many states as there are names: a link made, then the old name removed, file by file.
        for step in 0..<8 {
            let name = "source-of-\(engine)-\(goesBack)-\(step)"
            let (source, _, cutOver) = try copied(engine, name)
            let path = folder.url.appendingPathComponent(name).path
            let moves = source.address.fileSuffixes.filter {
                FileManager.default.fileExists(atPath: path + $0)
            }
            if goesBack { try cutOver.finalize() }
            let aside = path + StoreCutOver.suffix
            var steps: [() throws -> Void] = []
            for suffix in goesBack ? moves.reversed() : moves {
                let (from, to) = goesBack ? (aside + suffix, path + suffix) : (path + suffix, aside + suffix)
                steps.append { try FileManager.default.linkItem(atPath: from, toPath: to) }
                steps.append { try FileManager.default.removeItem(atPath: from) }
            }
            for step in steps.prefix(step) { try step() }

            if goesBack { try cutOver.rollBack() } else { try cutOver.finalize() }

            #expect(try cutOver.state() == (goesBack ? .begun : .finalized), "step \(step)")
            for suffix in moves {
                #expect(FileManager.default.fileExists(atPath: path + suffix) == goesBack, "step \(step)")
                #expect(FileManager.default.fileExists(atPath: aside + suffix) == !goesBack, "step \(step)")
            }
            if goesBack { #expect(try Cargo.isWhole(in: source), "step \(step)") }
        }
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
        let (_, _, cutOver) = try copied(.sqlite)
        try Cargo.fill(folder.place(.sqlite, "source.before-transfer"))

        #expect(thrownCode { try cutOver.finalize() } == .destinationExists)
        #expect(thrownCode { try cutOver.rollBack() } == .destinationExists)
    }

    /// A store and its finished copy in the other engine with files.
    private func copied(
        _ engine: Engine, _ name: String = "source"
    ) throws -> (source: Place, destination: Place, cutOver: StoreCutOver) {
        let source = folder.place(engine, name)
        let destination = folder.place(engine == .sqlite ? .lmdb : .sqlite, name + " copied")
        try Cargo.fill(source)
        _ = try StoreTransfer(from: source.address, to: destination.address).run()
        return (source, destination, StoreCutOver(from: source.address, to: destination.address))
    }
}
