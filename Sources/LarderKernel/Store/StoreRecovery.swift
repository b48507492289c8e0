import LarderDiagnostics

/// The action that `setup()` takes if a store cannot be used: it is damaged, was made by a newer version, or
/// does not fit the app's types and has no way to them.
///
///     var options = DataStoreOptions()
///     options.recovery = .recreate(keepingBackup: { backup in
///         report("Began again, as \(backup.reason). The old data is at \(backup.location).")
///     })
///
/// A file that is not a store of Larder's is never touched. A read-only store is not moved either, nor is a
/// store that fails because the app's own steps are wrong: mappings that do not fit, a shape that several
/// versions have, a history that is missing. `setup()` throws their errors. With another
/// ``DataStoreOptions/allowedMigration`` than `.all`, only damaged stores are moved.
public enum StoreRecovery: Sendable {
    /// Throws the error, and changes nothing.
    case refuse
    /// Moves the store's files, unchanged, into a folder beside them, and makes an empty store in their
    /// place.
    ///
    /// The folder is called `NAME.set-aside-1`, or has the next free number; the files in it keep their
    /// names. On a server, the store's schema gets the name `SCHEMA~set-aside-1` in place of this. If several processes
    /// do this at once, one moves the store and the others open the one that it has made. A store in memory cannot be
    /// moved, so the error is thrown.
    ///
    /// The closure is called when the new store is open, before `setup()` returns. If the new store cannot be
    /// made, `setup()` throws, and the error says where the old one is.
    case recreate(keepingBackup: @Sendable (SetAsideStore) -> Void)
}

/// A store that was moved aside by ``StoreRecovery/recreate(keepingBackup:)``.
public struct SetAsideStore: Sendable {
    /// The path of the store's file, or the address and the schema on a server; tools and other versions of the app can
    /// open it there.
    public let location: String
    /// The reason why it could not be used.
    public let reason: DataStoreError
}

extension StoreCoordinator {
    /// Opens the adapter, on a new store if need be and the app has asked for that; returns the one that was moved.
    func openAdapter(
        _ schema: StoreSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> SetAsideStore? {
        do {
            try adapter.open(schema, by: plan)
            return nil
        } catch {
            guard case .recreate = options.recovery, mayRecreate(for: error), !adapter.isReadOnly else {
                throw error
            }
            return try setAside(because: error, schema, by: plan)
        }
    }

    private func setAside(
        because error: DataStoreError, _ schema: StoreSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> SetAsideStore? {
        var (reason, isOpen) = (error, false)
        // Opened again, as another process may have been faster.
        let location = try adapter.setAside { () throws(DataStoreError) in
            do throws(DataStoreError) {
                try adapter.open(schema, by: plan)
                isOpen = true
            } catch {
                guard mayRecreate(for: error) else { throw error }
                reason = error
            }
            return !isOpen
        }
        if isOpen { return nil }
        guard let location else { throw reason }
        diagnostics.send(
            .difficulty("It could not be used and was moved to \(location): \(reason.code.rawValue)"))
        do {
            try adapter.open(schema, by: plan)
        } catch {
            throw error.advising("\(error.advice) The old store is at \(location).")
        }
        return SetAsideStore(location: location, reason: reason)
    }

    /// True if the store is to blame, and not the app's steps or history; with limited migrations, only for damage.
    private func mayRecreate(for error: DataStoreError) -> Bool {
        if error.code == .damaged { return true }
        let fits = error.code != .newerFormat && !(error.code == .schemaMismatch && error.leavesNoWay)
        return !fits && options.allowedMigration == .all
    }
}
