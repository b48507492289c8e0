import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// The destination is tried before the source is set aside.
struct CutOverProbeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.files)
    func `the destination is tried as the app would open it`(_ engine: Engine) throws {
        let (_, destination, cutOver) = try folder.copied(engine)

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
        // The copy is complete, so that the transfer would not repair it.
        #expect(error?.advice.hasPrefix("Delete the copy and run the transfer again") == true)
    }

    /// What an older app knew, and what the next one has forgotten.
    private enum Course: String, AttributeValue {
        case soup, cake
    }

    @Test(arguments: Engine.files)
    func `a value that the app does not know is found and named, whatever the untyped probe says`(
        _ engine: Engine
    ) throws {
        let (source, destination) = (folder.place(engine, "source"), folder.place(.lmdb, "destination"))
        try source.withStore(storing: [Holder<String>.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Holder(1, "soup", optional: nil), Holder(2, "cake", optional: "brunch"),
                ])
            }
        }
        let transfer = StoreTransfer(from: source.address, to: destination.address)
        _ = try transfer.run()
        let cutOver = StoreCutOver(from: transfer.source, to: transfer.destination)
        try cutOver.probe()
        let types: [any DataStoreItem.Type] = [Holder<Course>.self]

        let error = thrown { try cutOver.probe(destination.makeStore(storing: types), storing: types) }

        #expect(error?.code == .undecodable)
        #expect(error?.itemType == Holder<String>.schema.name)
        #expect(error?.attribute == "optional")
        #expect(error?.identifier == .integer(2))
        #expect(error?.message.contains("brunch") == true, "\(error?.message ?? "")")
        #expect(try cutOver.state() == .begun)
        // The store was closed again: the app can correct it and try once more.
        try destination.withStore(storing: [Holder<String>.self]) { store in
            try store.writeSync {
                _ = try $0.update(
                    Holder<String>.all, .set(\.optional, to: "cake"), .set(\.optionalIndexed, to: "cake"))
            }
        }
        try cutOver.probe(destination.makeStore(storing: types), storing: types)
    }
}
