import ArgumentParser
import Foundation
import Larder
import LarderFiles
import LarderTransfer

struct FinalizeCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "finalize",
        abstract: "Sets a store aside after it was copied, so that no app continues to write to it.",
        discussion: """
            The copy is tried first, and the store must not have changed since it was copied. Its files are \
            renamed, with \(StoreCutOver.suffix) at the end, and nothing is deleted. A small text file takes \
            the old name: no app can open it or create a new store there. May be run again after an \
            interruption. No app may have the store open.
            """)

    @OptionGroup var stores: PairArguments
    @OptionGroup var common: CommonOptions

    static func advice(for error: DataStoreError) -> String? {
        // Here the source was written to as well, and nothing says which of the two to keep.
        error.code == .destinationChanged
            ? "Compare them with larder diff, and move one of them away." : nil
    }

    func run(in session: Session) throws -> ExitStatus {
        let cutOver = try StoreCutOver(stores)
        try session.untilInterrupted { try cutOver.finalize() }
        let source = try ServerAddress.name(of: stores.source)
        let destination = try ServerAddress.name(of: stores.destination)
        let sentence = "\(source) is \(source + StoreCutOver.suffix) now; \(destination) takes its place"
        try session.output.write(sentence.visible + "\n")
        return .success
    }
}

struct RollbackCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Restores the name of a store that finalize has set aside.",
        discussion: "The copy stays where it is. May be run again after an interruption.")

    @OptionGroup var stores: PairArguments

    @Flag(name: .long, help: "Proceed even if the copy was written to; those changes stay in the copy only.")
    var discardChanges = false

    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let discardChanges = discardChanges
        let cutOver = try StoreCutOver(stores, mayLackCopy: true, isUnread: discardChanges)
        try session.untilInterrupted { try cutOver.rollBack(discardingChanges: discardChanges) }
        let source = try ServerAddress.name(of: stores.source)
        try session.output.write("\(source) is in its place".visible + "\n")
        return .success
    }
}

extension StoreEngine {
    /// The engine of a store that may have been set aside.
    fileprivate init(ofSourceAt path: String) throws {
        if ServerAddress.isOne(path) {
            self = .postgresql
            return
        }
        let aside = path + StoreCutOver.suffix
        let tombstone = try StoreTombstone.read(at: StoreFiles.url(path).path)
        if let engine = tombstone.flatMap({ StoreEngine(named: $0.source.engine) }) {
            self = engine
        } else {
            let isAway = try tombstone != nil || !StoreFiles.exists(path)
            let isAside = try isAway && StoreFiles.exists(aside)
            try self.init(ofStoreAt: isAside ? aside : path)
        }
    }
}

extension StoreCutOver {
    /// The cut-over between the two stores named on the command line; the first may have been set aside.
    ///
    /// - Parameters:
    ///   - mayLackCopy: True if the copy may be lost or damaged; the note at the first store's name knows its engine.
    ///   - isUnread: True if the copy is not read, so that without a note any engine will do.
    fileprivate init(_ stores: PairArguments, mayLackCopy: Bool = false, isUnread: Bool = false) throws {
        let engine = try StoreEngine(ofSourceAt: stores.source)
        let copy: StoreEngine
        do {
            copy = try StoreEngine(ofStoreAt: stores.destination)
        } catch {
            guard mayLackCopy, engine != .postgresql else { throw error }
            let note = try StoreTombstone.read(at: StoreFiles.url(stores.source).path)
            let noted = note.flatMap { StoreEngine(named: $0.destination.engine) }
            // After a rollback there is no note any more, and the command may be run again.
            guard let known = noted ?? (isUnread ? engine : nil) else { throw error }
            copy = known
        }
        self.init(from: try engine.address(of: stores.source), to: try copy.address(of: stores.destination))
    }
}
