package import LarderKernel
import LarderVersions

/// A store that is copied to the place of a new one, such as a store in an app's bundle.
///
///     if let source = options.file.prepopulation(of: .sqlite) {
///         try source.copy(to: path) { temporary in … }
///     }
///
/// The source is read by plain reads: no engine opens it, and nothing is made beside it.
package struct PrepopulatedStore {
    private let source: StorePlace
    private let engine: FileEngine

    fileprivate init(at source: StorePlace, of engine: FileEngine) {
        self.source = source
        self.engine = engine
    }

    /// Makes the copy, unless another process is faster; then that one's store is left in place.
    ///
    /// A kill leaves no half store, as ``NewFile`` says. *Cost:* reads and writes the whole source.
    ///
    /// - Parameters:
    ///   - path: The path of a store that does not exist.
    ///   - finish: Checks the copy at the path it is given, and makes it a store of its own; see
    ///     ``StoredSchema/ofCopy(for:by:)``.
    /// - Throws: `.cannotOpen` with the path of the source when it is missing, damaged, no store of this engine, or has no
    ///   way to the app's types; `.alreadyOpen`, `.busy` when this process has it open, or another writes to it; `.cancelled`.
    package func copy(
        to path: String, finishing finish: (String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        _ = try NewFile(at: path, companionSuffixes: engine.companionSuffixes).make {
            (temporary) throws(DataStoreError) in
            do throws(DataStoreError) {
                try copyFiles(to: temporary)
                try finish(temporary)
            } catch {
                throw isAboutSource(error) ? unusable(error) : error
            }
        }
    }

    private func copyFiles(to temporary: String) throws(DataStoreError) {
        guard let status = try source.file() else {
            throw DataStoreError(
                .cannotOpen, "There is no store at the path from which a new store begins.",
                advice: "Check prepopulatedFrom in the options, and that the app's bundle has the file.",
                path: source.path)
        }
        let file = try StoreFile(at: source.path, status, of: engine)
        try OpenFileRegistry.shared.whileNotOpen(status.identity, at: source.path) {
            () throws(DataStoreError) in
            try StoreTombstone.requireNone(at: file.path)
            try engine.look(file.path)
            let before = try states(of: file.path)
            for suffix in [""] + engine.logSuffixes where FileAccess.isTaken(file.path + suffix) {
                if !suffix.isEmpty { try FileAccess.makeFile(temporary + suffix) }
                try FileAccess.fill(temporary + suffix, with: file.path + suffix, stopping: "The copy")
            }
            guard try states(of: file.path) == before else {
                throw DataStoreError(
                    .busy, "Another process writes to the store with which a new one begins.",
                    advice: "Repeat the call when it has closed the store.", path: source.path)
            }
        }
    }

    private func states(of path: String) throws(DataStoreError) -> [String?] {
        var states: [String?] = []
        for suffix in [""] + engine.logSuffixes {
            states.append(try FileAccess.status(at: path + suffix)?.stateText)
        }
        return states
    }

    /// True if the content of the source is to blame.
    private func isAboutSource(_ error: DataStoreError) -> Bool {
        let codes: Set<DataStoreError.Code> = [
            .damaged, .foreignStore, .incompleteTransfer, .newerFormat, .notADatabase, .storeMoved,
        ]
        return codes.contains(error.code) || error.leavesNoWay
    }

    /// The error for a source that is damaged, not a store of the engine, or without a way to the app's types.
    ///
    /// Its code is not the code of the damage: the app's own store is not damaged, and must not be set aside.
    private func unusable(_ error: DataStoreError) -> DataStoreError {
        DataStoreError(
            .cannotOpen, "The store with which a new one begins cannot be used: \(error.message)",
            advice: "Replace it by a store that \(engine.name) has made and closed"
                + (error.leavesNoWay ? ", of a version from which a way leads to the app's types." : "."),
            path: source.path, underlying: error.underlying)
    }
}

extension FileStoreOptions {
    /// The store that a new one begins with; nil for an empty one.
    package func prepopulation(of engine: FileEngine) -> PrepopulatedStore? {
        prepopulatedFrom.map { PrepopulatedStore(at: StorePlace($0), of: engine) }
    }
}

extension StoredSchema {
    /// The schema of a copy that is a store of its own: the next opening for writing gives it an identity.
    ///
    /// If the app's types are known and the copy has no way to them, it is refused before it is a store: that would be
    /// set aside, and copied again, at each opening.
    ///
    /// - Throws: `.incompleteTransfer` for a store that is half a copy itself; as `SchemaMigration`.
    package func ofCopy(
        for schema: StoreSchema?, by plan: MigrationPlan?
    ) throws(DataStoreError) -> StoredSchema {
        if let transfer, !transfer.isComplete { throw transfer.incomplete() }
        var copy = self
        copy.identity = nil
        copy.transfer = nil
        if let schema { _ = try SchemaMigration(from: copy, to: schema, by: plan) }
        return copy
    }
}
