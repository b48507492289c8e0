import Foundation

/// Another process that opens an LMDB store, as far as the lock goes for which LMDB lets it wait.
///
/// It has opened the lock file already, whatever file has the name when it gets the lock.
final class WaitingProcess: @unchecked Sendable {
    // reason: the descriptor is only used by one thread at a time.
    private var file: Int32

    init(for lockFile: URL) {
        file = open(lockFile.path, O_RDWR | O_CLOEXEC)
    }

    deinit {
        exit()
    }

    func exit() {
        guard file >= 0 else { return }
        #if os(Linux)
            // A process that another test is just starting may still have the file, and would keep the lock with it.
            setLock(Int16(F_UNLCK))
        #endif
        close(file)
        file = -1
    }

    #if os(Linux)
        /// Takes the lock as LMDB does; false if another process uses the store alone.
        func takeLock() -> Bool { setLock(Int16(F_RDLCK)) }

        @discardableResult
        private func setLock(_ type: Int16) -> Bool {
            var lock = flock()
            lock.l_type = type
            lock.l_len = 1
            // F_OFD_SETLK: in this process it is as good as in another.
            return fcntl(file, 37, &lock) == 0
        }
    #endif
}
