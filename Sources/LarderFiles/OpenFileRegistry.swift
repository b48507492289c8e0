package import Larder

/// The store files that are open in this process, by their identity and not by their name.
///
///     try OpenFileRegistry.shared.claim(status.identity, at: path)
///     defer { OpenFileRegistry.shared.release(status.identity) }
///
/// Engines must not have a file open twice in one process: closing either one drops the locks of both. A
/// symbolic link, a hard link and a relative path all lead to the same entry.
///
/// *Rule:* claim a file before anything else opens it, and release it after everything has closed it.
package final class OpenFileRegistry: Sendable {
    package static let shared = OpenFileRegistry()

    private struct Entry {
        let path: String
        let forkCount: Int
    }

    private let entries = Locked<[FileIdentity: Entry]>([:])

    package init() {}

    /// Notes that a file is open from now on.
    ///
    /// - Throws: `.alreadyOpen` when it is open already; `.usedAfterFork` when it was open in the process
    ///   this one was forked from, whose engine left its state here.
    package func claim(_ identity: FileIdentity, at path: String) throws(DataStoreError) {
        try entries.withLock { entries throws(DataStoreError) in
            try Self.requireNone(entries[identity], at: path)
            entries[identity] = Entry(path: path, forkCount: ForkCount.current)
        }
    }

    /// Runs a body on a file that is not open in this process, for as long as the body needs.
    ///
    /// Other claims wait meanwhile, whatever their file. *Rule:* the body is short, and opens no store.
    ///
    /// - Throws: As ``claim(_:at:)``; rethrows errors of the body.
    package func whileNotOpen<Result>(
        _ identity: FileIdentity, at path: String, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try entries.withLock { entries throws(DataStoreError) in
            try Self.requireNone(entries[identity], at: path)
            return try body()
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

    /// Notes that a file is open no longer.
    package func release(_ identity: FileIdentity) {
        release([identity]) {}
    }

    /// Closes files, and notes that they are open no longer.
    ///
    /// No other store can claim a file meanwhile: a file that was deleted while open gives its identity to
    /// the next new file as soon as it is closed.
    package func release(_ identities: [FileIdentity], closing close: () -> Void) {
        entries.withLock { entries in
            close()
            for identity in identities { entries.removeValue(forKey: identity) }
        }
    }
}
