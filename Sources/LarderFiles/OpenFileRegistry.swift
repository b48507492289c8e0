package import LarderKernel

/// The store files that are open in this process, by their identity and not by their name.
///
///     try OpenFileRegistry.shared.claim(status.identity, at: path)
///     defer { OpenFileRegistry.shared.release(status.identity) }
///
/// Engines must not have a file open twice in one process: closing either one drops the locks of both. A
/// symbolic link, a hard link and a relative path all lead to the same entry.
///
/// *Rule:* claim a file before anything else opens it, and release it after everything has closed it.
package final class OpenFileRegistry: @unchecked Sendable {
    // reason: `entries` is only touched with the lock of `condition` held.
    package static let shared = OpenFileRegistry()

    private struct Entry {
        let path: String
        let forkCount = ForkCount.current
        /// True if the file will soon be free again: other claims of it wait.
        var isPassing = false
    }

    private let condition = Condition()
    private var entries: [FileIdentity: Entry] = [:]

    package init() {}

    /// Notes that a file is open from now on.
    ///
    /// - Throws: `.alreadyOpen` when it is open already; `.usedAfterFork` when it was open in the process
    ///   this one was forked from, whose engine left its state here.
    package func claim(_ identity: FileIdentity, at path: String) throws(DataStoreError) {
        try add(Entry(path: path), for: identity)
    }

    /// Runs a body on a file that is not open in this process, for as long as the body needs.
    ///
    /// Other claims of the file wait meanwhile. *Rule:* the body does not claim it.
    ///
    /// - Throws: As ``claim(_:at:)``; rethrows errors of the body.
    package func whileNotOpen<Result>(
        _ identity: FileIdentity, at path: String, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try add(Entry(path: path, isPassing: true), for: identity)
        defer { remove([identity]) }
        return try body()
    }

    private func add(_ entry: Entry, for identity: FileIdentity) throws(DataStoreError) {
        try condition.withLock { () throws(DataStoreError) in
            // After a fork there is nobody to end the wait.
            while let holder = entries[identity], holder.isPassing, holder.forkCount == ForkCount.current {
                condition.wait()
            }
            try Self.requireNone(entries[identity], at: entry.path)
            entries[identity] = entry
        }
    }

    private func remove(_ identities: [FileIdentity]) {
        condition.withLock {
            for identity in identities { entries.removeValue(forKey: identity) }
            condition.signalAll()
        }
    }

    private static func requireNone(_ holder: Entry?, at path: String) throws(DataStoreError) {
        guard let holder else { return }
        guard holder.forkCount == ForkCount.current else {
            throw DataStoreError(
                .usedAfterFork, "The file was open when this process was forked from another.",
                advice: "Restart the process to open it there.", path: path)
        }
        let name = holder.path == path ? "" : ", as \(holder.path)"
        throw DataStoreError(.alreadyOpen, "The file is already open in this process\(name).", path: path)
    }

    /// True if a file is open in this process, or about to be.
    package func isHeld(_ identity: FileIdentity) -> Bool {
        condition.withLock { entries[identity] != nil }
    }

    /// Notes that a file is open no longer.
    package func release(_ identity: FileIdentity) {
        release([identity]) {}
    }

    /// Closes files, and notes that they are open no longer.
    ///
    /// Other claims of them wait meanwhile, and no others: a file that was deleted while open gives its identity to the
    /// next new file as soon as it is closed.
    package func release(_ identities: [FileIdentity], closing close: () -> Void) {
        condition.withLock { for identity in identities { entries[identity]?.isPassing = true } }
        close()
        remove(identities)
    }
}
