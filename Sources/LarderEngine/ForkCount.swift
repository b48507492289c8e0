package import LarderKernel
import LarderPlatform

/// Tells a process from the one it was forked from.
///
///     let opened = ForkCount.current
///     …
///     try ForkCount.requireSame(opened, path: path)
///
/// *Cost:* a load, while asking for the process's number costs a system call.
package enum ForkCount {
    /// The number of forks of this process and its ancestors since the first call.
    package static var current: Int { count.pointee }

    /// - Throws: `.usedAfterFork` if the process was forked since the count was taken.
    package static func requireSame(
        _ opened: Int, path: @autoclosure () -> String
    ) throws(DataStoreError) {
        if current == opened { return }
        throw DataStoreError(
            .usedAfterFork, "The store was opened before the process was forked.", path: path())
    }

    // reason: written only in a process that was just forked, before it can have a second thread.
    nonisolated(unsafe) private static let count: UnsafeMutablePointer<Int> = {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        pthread_atfork(nil, nil) { ForkCount.count.pointee += 1 }
        return count
    }()
}
