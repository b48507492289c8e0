public import LarderEngine
public import LarderKernel

/// The file of an open store: refused in a forked process, and written by one transaction at a time.
@usableFromInline
package final class OpenStoreFile: Sendable {
    package let file: StoreFile
    private let isReadOnly: Bool
    @usableFromInline let forkCount = ForkCount()
    private let writing = Locked(Writing())

    private struct Writing {
        var isActive = false
        var hasBegun = false
    }

    package init(_ file: StoreFile, isReadOnly: Bool) {
        self.file = file
        self.isReadOnly = isReadOnly
    }

    /// True in a process that was forked from the one that has opened the file.
    package var isForked: Bool { !forkCount.isCurrent }

    /// - Throws: `.usedAfterFork`.
    @inlinable
    package func requireSameProcess() throws(DataStoreError) {
        if !forkCount.isCurrent { throw usedAfterFork }
    }

    // Not inlined, nor is what it is made of.
    @usableFromInline
    var usedAfterFork: DataStoreError { ForkCount.error(path: file.path) }

    /// True in a forked process, in which connections and locks belong to the other process: the store is never
    /// freed there, so that nothing closes them.
    package func isForked(abandoning store: AnyObject) -> Bool {
        guard isForked else { return false }
        _ = Unmanaged.passRetained(store)
        return true
    }

    /// The error for a file that is read without locks, and that a process has begun to write to.
    package var hasWriter: DataStoreError {
        DataStoreError(
            .busy, "Another process has begun to write to the store, which was read without locks.",
            advice: "Call tearDown(), then setup().", path: file.path)
    }
}

// MARK: Writing

extension OpenStoreFile {
    /// Lets the caller write until ``releaseWriting()``.
    ///
    /// - Throws: `.usedAfterFork`, `.readOnly`, `.storeFileMoved`; `.nestedTransaction` while another
    ///   transaction of this process writes.
    package func claimWriting() throws(DataStoreError) {
        try requireSameProcess()
        guard !isReadOnly else {
            throw DataStoreError(.readOnly, "The store was opened read-only.", path: file.path)
        }
        try file.requireInPlace()
        let (isFree, isFirst) = writing.withLock { writing in
            defer { (writing.isActive, writing.hasBegun) = (true, true) }
            return (!writing.isActive, !writing.hasBegun)
        }
        guard isFree else {
            throw DataStoreError(
                .nestedTransaction, "A write transaction of the store is open already.", path: file.path)
        }
        if isFirst { file.removeNamesOfKilledProcesses() }
    }

    package func releaseWriting() {
        writing.withLock { $0.isActive = false }
    }

    /// Runs a body that no writer can begin beside; nil, and nothing done, while one is writing.
    @discardableResult
    package func whileNotWriting<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try writing.withLock { (writing) throws(Failure) -> Result? in
            if writing.isActive { return nil }
            return try body()
        }
    }

    /// Watches for commits of other processes.
    ///
    /// - Parameters:
    ///   - files: The files that each commit writes to.
    ///   - count: Returns a number that differs after each commit of another process and never otherwise; nil if it would have
    ///     to be waited for, or if the store is gone. Called while the store does not write, which waits meanwhile.
    package func watchOtherWriters(
        of files: [String], count: @escaping @Sendable () throws(DataStoreError) -> Int?,
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> any StorageWatch {
        try OtherWriters(
            of: files,
            count: { [weak self] () throws(DataStoreError) -> Int? in
                guard let self, let number = try self.whileNotWriting(count) else { return nil }
                return number
            }, body: body)
    }
}
