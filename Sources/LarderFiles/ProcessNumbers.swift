package import LarderKernel

/// The number that this process has in the identifiers of items, which no other process has that shares a store with it.
///
///     let number = try ProcessNumbers.shared.hold(in: file)
///     …
///     number?.release()
///
/// Each store that may be written to has a lock on the byte of the number in its file. If another process has
/// the number in a store that is being opened, this process continues with one that is free in all its
/// stores.
///
/// *Rule:* if the file system has no such locks, the number stays random. *Cost:* three system calls for a store.
package final class ProcessNumbers: Sendable {
    package static let shared = ProcessNumbers(of: .shared)

    /// The number of numbers, and so of processes that can share a store.
    package static let count = 1024

    private struct State {
        var forkCount = ForkCount.current
        /// The files of the stores that are open.
        var files: [LockedFile] = []
    }

    private let generator: ItemIDGenerator
    private let state = Locked(State())

    /// - Parameter generator: Makes the identifiers.
    package init(of generator: ItemIDGenerator) {
        self.generator = generator
    }

    /// Takes a number for a store that is being opened; nil if its file cannot be locked.
    ///
    /// - Throws: `.busy` when processes that share stores with this one have all numbers; `.storeFileMoved`.
    package func hold(in file: StoreFile) throws(DataStoreError) -> HeldNumber? {
        guard let opened = try LockedFile(at: file.path) else { return nil }
        do throws(DataStoreError) {
            guard opened.identity == file.identity else { throw file.movedError }
            if try take(in: opened, at: file.path) { return HeldNumber(file: opened, numbers: self) }
        } catch {
            opened.close()
            throw error
        }
        opened.close()
        return nil
    }

    private func take(in file: LockedFile, at path: String) throws(DataStoreError) -> Bool {
        try state.withLock { state throws(DataStoreError) in
            // A forked process has no stores of its own yet. The other one's files do not change.
            if state.forkCount != ForkCount.current { state = State() }
            let current = generator.process
            for step in 0..<UInt16(Self.count) {
                let number = (current &+ step) % UInt16(Self.count)
                let others = step == 0 ? [] : state.files
                switch Self.lock(number, in: [file] + others) {
                case .unsupported: return false
                case .taken: continue
                case .locked: break
                }
                // The old number is free once no identifier has it any more.
                generator.take(process: number)
                for other in others { other.unlock(.number(current)) }
                state.files.append(file)
                return true
            }
            throw DataStoreError(
                .busy, "All \(Self.count) numbers for processes that share a store are in use.",
                advice: "Open the store in fewer processes, or read-only.", path: path)
        }
    }

    /// Locks a number in all files or in none.
    private static func lock(_ number: UInt16, in files: [LockedFile]) -> LockedFile.Outcome {
        for (position, file) in files.enumerated() {
            let outcome = file.lock(.number(number))
            if outcome == .locked { continue }
            for file in files[..<position] { file.unlock(.number(number)) }
            return outcome
        }
        return .locked
    }

    fileprivate func release(_ file: LockedFile) {
        state.withLock { state in
            state.files.removeAll { $0 === file }
            file.close()
        }
    }
}

/// The number of this process in one store that is open.
package struct HeldNumber: Sendable {
    fileprivate let file: LockedFile
    fileprivate let numbers: ProcessNumbers

    /// *Rule:* the engine has closed the file, and the process was not forked meanwhile.
    package func release() { numbers.release(file) }
}
