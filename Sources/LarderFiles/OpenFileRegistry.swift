import LarderEngine
package import LarderKernel
import LarderPlatform

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
        let forkCount = ForkCount()
        /// True if the file will soon be free again: other claims of it wait.
        var isPassing = false
        var anchor: Anchor?
    }

    /// Keeps the identity of a file: a new file may get it once the old one is removed and no longer open anywhere.
    private final class Anchor {
        #if os(Linux)
            // reason: <fcntl.h> declares O_PATH only for _GNU_SOURCE, and Swift's module of the C library is built without it.
            private static let onlyNames: Int32 = 0o10_000_000
            private let file: Int32

            /// - Returns: nil if another file is at the path by now.
            init?(_ identity: FileIdentity, at path: String) {
                // A descriptor that only names the file: closing it drops no locks.
                file = open(path, Self.onlyNames | O_CLOEXEC)
                guard file >= 0 else { return nil }
                let found = try? FileAccess.status(ofOpen: file, at: path).identity
                if found != identity { return nil }
            }

            deinit {
                if file >= 0 { close(file) }
            }
        #else
            // No descriptor is known whose closing would drop no locks.
            init?(_ identity: FileIdentity, at path: String) { return nil }
        #endif
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
            while let holder = entries[identity], holder.isPassing, holder.forkCount.isCurrent {
                condition.wait()
            }
            try Self.requireNone(entries[identity], at: entry.path)
            entries[identity] = entry
            entries[identity]?.anchor = Anchor(identity, at: entry.path)
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
        guard holder.forkCount.isCurrent else {
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
    /// Other claims of them wait meanwhile, and no others.
    package func release(_ identities: [FileIdentity], closing close: () -> Void) {
        condition.withLock { for identity in identities { entries[identity]?.isPassing = true } }
        close()
        remove(identities)
    }
}
