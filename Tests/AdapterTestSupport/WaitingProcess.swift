import Foundation

/// Another process that opens an LMDB store, as far as the lock goes for which LMDB lets it wait.
///
/// It has opened the lock file already, whatever file has the name when it gets the lock.
final class WaitingProcess: @unchecked Sendable {
    // reason: the descriptor is only used by one thread at a time.
    private var file: Int32

    init(for lockFile: URL) {
        file = open(lockFile.path, O_RDWR)
    }

    deinit {
        exit()
    }

    func exit() {
        if file >= 0 { close(file) }
        file = -1
    }

    #if os(Linux)
        /// Takes the lock as LMDB does; false if another process uses the store alone.
        func takeLock() -> Bool {
            var lock = flock()
            lock.l_type = Int16(F_RDLCK)
            lock.l_len = 1
            // F_OFD_SETLK: in this process it is as good as in another.
            return fcntl(file, 37, &lock) == 0
        }
    #endif
}
