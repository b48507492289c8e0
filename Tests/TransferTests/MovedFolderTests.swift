import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// A system may give a container another path between two starts of an app; stores are known by identity.
struct MovedFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("before"), withIntermediateDirectories: false)
    }

    private func place(_ engine: Engine, _ name: String, in container: String) -> Place {
        Place(engine, at: folder.file(container).appendingPathComponent(name))
    }

    private func moveContainer(to name: String = "after") throws {
        try FileManager.default.moveItem(at: folder.file("before"), to: folder.file(name))
    }

    @Test(arguments: Engine.files, Engine.files)
    func `a transfer that died goes on after its folder was renamed`(_ from: Engine, _ to: Engine) throws {
        try Cargo.fill(place(from, "source", in: "before"))
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        let begun = place(to, "copy", in: "before")
        expectDeath {
            _ = try StoreTransfer(
                from: place(from, "source", in: "before").address, to: plan.applied(to: begun.address)
            ).run()
        }

        try moveContainer()
        let (source, copy) = (place(from, "source", in: "after"), place(to, "copy", in: "after"))
        let report = try StoreTransfer(from: source.address, to: copy.address).run()

        #expect(report.isResumed)
        #expect(try Cargo.isWhole(in: copy))
        try StoreCutOver(from: source.address, to: copy.address).probe()
    }

    @Test(arguments: Engine.files)
    func `a copy is finalized, and taken back, after its folder was renamed`(_ engine: Engine) throws {
        let other: Engine = engine == .sqlite ? .lmdb : .sqlite
        try Cargo.fill(place(engine, "source", in: "before"))
        _ = try StoreTransfer(
            from: place(engine, "source", in: "before").address,
            to: place(other, "copy", in: "before").address
        ).run()

        try moveContainer()
        try StoreCutOver(
            from: place(engine, "source", in: "after").address,
            to: place(other, "copy", in: "after").address
        ).finalize()
        try FileManager.default.moveItem(at: folder.file("after"), to: folder.file("later"))
        let (source, copy) = (place(engine, "source", in: "later"), place(other, "copy", in: "later"))
        let cutOver = StoreCutOver(from: source.address, to: copy.address)

        #expect(try cutOver.state() == .finalized)
        try cutOver.finalize()
        let error = thrown { try source.withStore { _ in } }
        #expect(error?.code == .storeMoved)
        #expect(error?.message.contains(copy.address.location) == true, "\(error?.message ?? "")")
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
        #expect(try Cargo.isWhole(in: copy))
    }
}
