/// The place where the steps of a ``SchemaHistory`` run when `setup()` opens a store of an earlier version.
///
///     var options = DataStoreOptions()
///     options.schemaUpgrade = .copying(keepingBackup: { backup in remember(backup.location) })
///
/// Either way a process that is killed, a full disk, a step that throws and a cancelled task leave the old store
/// or the new one, whole. The free space is checked before anything is written. A store in memory has no file, so
/// its steps always run in place.
///
/// *Rule:* only for stores that are made with a ``SchemaHistory``. Small changes without a step run in place.
public enum SchemaUpgradeMode: Sendable {
    /// In place, unless at least two steps go through rows and the store has at least 64 MB: then in a copy, so
    /// that a process that is killed loses one step at most.
    ///
    /// Also in place if another process has the store open, if its file has several names (hard links) or
    /// belongs to another user, or if there is no room for a copy.
    case automatic
    /// In the store's own file, in one transaction.
    ///
    /// Other processes may have the store open. One that reads still sees the old state until the steps are
    /// committed, and then gets `.schemaChanged`; one that writes waits, or gets `.busy`.
    case inPlace
    /// In a copy beside the store, one transaction for each step; the copy is checked and then takes the store's
    /// place by one rename.
    ///
    /// A later `setup()` continues a copy whose process was killed, or whose task was cancelled, after the last
    /// step that was whole, unless the store, the steps' versions or their types have changed since. Larder
    /// cannot detect that a step's code changed if its version names did not. After any other error the copy
    /// is removed.
    ///
    /// No other process can open the store meanwhile: it waits, or gets `.busy`. While another process has the
    /// store open, `setup()` throws `.busy`. A file with several names (hard links) is refused with `.unsupported`,
    /// as the copy would take the place of one of them only, and a file of another user or group with `.permissionDenied`
    /// if the copy would take away rights that they have.
    ///
    /// If the folder cannot be synced after the rename, `setup()` throws; the error says that the new store
    /// is already in place. The next `setup()` opens it.
    ///
    /// - Parameter keepingBackup: Called after the old store was saved as `NAME.backup-1` (or the next free
    ///   number), before `setup()` returns or throws; a name that is too long is truncated. Nil for no
    ///   backup.
    case copying(keepingBackup: (@Sendable (SchemaBackup) -> Void)? = nil)
}

/// The old store that an upgrade has kept; see ``SchemaUpgradeMode/copying(keepingBackup:)``.
public struct SchemaBackup: Sendable, Hashable {
    /// The path of its file, which earlier versions of the app and tools can open.
    public let location: String

    package init(location: String) {
        self.location = location
    }
}
