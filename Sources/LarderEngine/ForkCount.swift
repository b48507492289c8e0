public import LarderKernel
import LarderPlatform

/// Tells a process from those that are forked from it.
///
///     let forkCount = ForkCount()
///     …
///     try forkCount.requireSame(path: path)
///
/// *Cost:* two loads, inlined, as it is asked for each row; the process's number costs a system call.
@usableFromInline
package struct ForkCount: Sendable {
    // reason: the number is written only in a process that was just forked, before it can have a second thread.
    @usableFromInline nonisolated(unsafe) let forks: UnsafeMutablePointer<Int>
    @usableFromInline let count: Int

    /// Takes the count of this process.
    package init() {
        forks = Self.forks
        count = forks.pointee
    }

    /// False in a process that was forked from the one that has taken the count.
    @inlinable
    package var isCurrent: Bool { forks.pointee == count }

    /// - Throws: `.usedAfterFork` if the process was forked since the count was taken.
    @inlinable
    package func requireSame(path: @autoclosure () -> String) throws(DataStoreError) {
        if !isCurrent { throw Self.error(path: path()) }
    }

    /// The error for what was opened before the process was forked.
    @usableFromInline
    package static func error(path: String) -> DataStoreError {
        DataStoreError(.usedAfterFork, "The store was opened before the process was forked.", path: path)
    }

    /// The number of forks of this process and its ancestors since the first count.
    // reason: as above.
    nonisolated(unsafe) private static let forks: UnsafeMutablePointer<Int> = {
        let forks = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        forks.initialize(to: 0)
        pthread_atfork(nil, nil) { ForkCount.forks.pointee += 1 }
        return forks
    }()
}
