public import LarderKernel

extension StoreRecovery {
    /// In a debug build, ``StoreRecovery/recreate(keepingBackup:)``, so that a type that has changed needs no step while
    /// the app is developed; in a release build, ``StoreRecovery/refuse``.
    ///
    ///     var options = DataStoreOptions()
    ///     options.recovery = .recreateInDebugBuilds
    ///
    /// *Rule:* changes that follow from the types alone, such as a new attribute with a default, are made as ever; only a
    /// store that has no way to the types is set aside, and a new one begins as the options say, empty or by
    /// `prepopulatedFrom`. The log has a warning with the place of the old one. Remove the folders when they are too many.
    public static var recreateInDebugBuilds: StoreRecovery {
        #if DEBUG
            .recreate(keepingBackup: { _ in })
        #else
            .refuse
        #endif
    }
}
