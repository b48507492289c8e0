import Foundation
import Larder
import LarderTransfer

@testable import AdapterTestSupport
@testable import LarderConformance

/// A store in a file and its finished copy in the other engine with files.
typealias Copied = (source: Place, destination: Place, cutOver: StoreCutOver)

extension TemporaryFolder {
    func copied(_ engine: Engine, _ name: String = "source") throws -> Copied {
        let source = place(engine, name)
        try Cargo.fill(source)
        return try copied(source, name)
    }

    /// As above, with all the files that a process leaves beside a store when it is killed.
    func copiedAfterKill(_ engine: Engine, _ name: String = "source") throws -> Copied {
        let (open, source) = (place(engine, "open-" + name), place(engine, name))
        try Cargo.fill(open)
        try open.withStore { store in
            try store.writeSync { _ = try $0.delete(id: 3, of: Keyed<Int64>.self) }
            try store.writeSync { _ = try $0.insert(contentsOf: Cargo.numbered.filter { $0.id == 3 }) }
            for suffix in open.files {
                try FileManager.default.copyItem(
                    atPath: open.address.location + suffix, toPath: source.address.location + suffix)
            }
        }
        return try copied(source, name)
    }

    private func copied(_ source: Place, _ name: String) throws -> Copied {
        let destination = place(source.engine == .sqlite ? .lmdb : .sqlite, name + " copied")
        _ = try StoreTransfer(from: source.address, to: destination.address).run()
        return (source, destination, StoreCutOver(from: source.address, to: destination.address))
    }
}

extension Place {
    /// What the names of its files end with that are there; the main file's is the first.
    var files: [String] { address.fileSuffixes.filter { isThere(address.location + $0) } }

    /// The same of the files that were set aside.
    var filesAside: [String] {
        address.fileSuffixes.filter { isThere(address.location + StoreCutOver.suffix + $0) }
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
