import LarderKernel
import LarderPlatform

/// The operating system's reports that files were written to, by whatever process on this machine.
///
/// *Rule:* ``wait(milliseconds:)`` is called by one thread at a time; the rest by any. Writes through a
/// memory map, and by other machines on a shared disk, are not reported.
struct FileEvents: Sendable {
    /// The files that ``wait(milliseconds:)`` has found.
    struct Found {
        /// The numbers of the files that were written to.
        var written: [Int32] = []
        /// The numbers of the files that are not watched any more: those that are gone, and on Linux those that were
        /// written to.
        var gone: [Int32] = []
        /// True if reports were lost, so that any file may have been written to.
        var hasOverflown = false
    }

    private let queue: Int32
    private let wakeUps: (read: Int32, write: Int32)

    /// - Throws: `.cannotOpen` when the operating system gives no queue: its number is limited for each user.
    init() throws(DataStoreError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeUps = (ends[0], ends[1])
        queue = Self.makeQueue()
        guard queue >= 0 else {
            let failure = Self.failure
            for end in ends { LarderPlatform.close(end) }
            throw failure
        }
        listenForWakeUps()
    }

    private static var failure: DataStoreError {
        DataStoreError(
            .cannotOpen, "The operating system does not let the process watch files.",
            underlying: FileAccess.underlying(errno))
    }

    /// Ends a wait that is running, or the next one.
    func wake() {
        var byte: UInt8 = 0
        _ = write(wakeUps.write, &byte, 1)
    }

    private func forgetWakeUps() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeUps.read, &bytes, bytes.count) > 0 {}
    }

    func close() {
        for file in [queue, wakeUps.read, wakeUps.write] { LarderPlatform.close(file) }
    }
}

#if os(Linux) || os(Android)

    // inotify: files are watched by their path, so none is opened, which would drop an engine's locks when it is
    // closed again. A watch ends with the first write (IN_ONESHOT) and is renewed before the next check, as a report
    // costs the one who writes a microsecond for each part of a commit.
    extension FileEvents {
        private static func makeQueue() -> Int32 {
            inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        }

        private func listenForWakeUps() {}

        /// Watches a file; nil if there is none.
        ///
        /// - Returns: The number of the file; the same again for a file that is watched already.
        /// - Throws: The error of the system if a file that is there cannot be watched.
        func add(_ path: String) throws(DataStoreError) -> Int32? {
            let number = inotify_add_watch(queue, path, UInt32(IN_MODIFY) | UInt32(IN_ONESHOT))
            if number >= 0 { return number }
            if errno == ENOENT { return nil }
            throw FileAccess.failure(errno, "The file cannot be watched.", path: path)
        }

        func remove(_ number: Int32) {
            inotify_rm_watch(queue, number)
        }

        /// Frees the number of a file that is not watched any more; the system has done so.
        func removeGone(_ number: Int32) {}

        /// Waits until a file was written to, or ``wake()`` is called; a negative time has no end.
        func wait(milliseconds: Int32) -> Found {
            if milliseconds != 0 {
                var sources = [
                    pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: wakeUps.read, events: Int16(POLLIN), revents: 0),
                ]
                poll(&sources, nfds_t(sources.count), milliseconds)
                if sources[1].revents != 0 { forgetWakeUps() }
            }
            var found = Found()
            withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 8) { buffer in
                while true {
                    let count = read(queue, buffer.baseAddress, buffer.count)
                    if count <= 0 { return }
                    Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &found)
                    // There was room for another report, whose name has at most 256 bytes.
                    if count + 512 < buffer.count { return }
                }
            }
            return found
        }

        private static func parse(_ bytes: UnsafeRawBufferPointer, into found: inout Found) {
            let headBytes = MemoryLayout<inotify_event>.size
            var position = 0
            while position + headBytes <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                position += headBytes + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    found.hasOverflown = true
                } else if event.mask & UInt32(IN_IGNORED) != 0 {
                    found.gone.append(event.wd)
                } else {
                    found.written.append(event.wd)
                    found.gone.append(event.wd)
                }
            }
        }
    }

#elseif canImport(Darwin)

    // kqueue: a file is watched by a descriptor of its own. *Rule:* only of files on which no engine has locks,
    // as closing a descriptor drops all locks of the process on its file.
    extension FileEvents {
        private static func makeQueue() -> Int32 {
            let queue = kqueue()
            if queue >= 0 { _ = fcntl(queue, F_SETFD, FD_CLOEXEC) }
            return queue
        }

        private func listenForWakeUps() {
            change(wakeUps.read, filter: EVFILT_READ, flags: EV_ADD)
        }

        @discardableResult
        private func change(_ file: Int32, filter: Int32, flags: Int32, notes: Int32 = 0) -> Bool {
            var event = Darwin.kevent(
                ident: UInt(file), filter: Int16(filter), flags: UInt16(flags), fflags: UInt32(notes),
                data: 0,
                udata: nil)
            return kevent(queue, &event, 1, nil, 0, nil) == 0
        }

        func add(_ path: String) throws(DataStoreError) -> Int32? {
            let file = open(path, O_EVTONLY | O_CLOEXEC)
            if file < 0, errno == ENOENT { return nil }
            guard file >= 0 else {
                throw FileAccess.failure(errno, "The file cannot be watched.", path: path)
            }
            let notes = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE
            if change(file, filter: EVFILT_VNODE, flags: EV_ADD | EV_CLEAR, notes: notes) { return file }
            LarderPlatform.close(file)
            return nil
        }

        func remove(_ number: Int32) {
            LarderPlatform.close(number)
        }

        /// Frees the number of a file that is gone.
        func removeGone(_ number: Int32) { remove(number) }

        func wait(milliseconds: Int32) -> Found {
            var limit = timespec(
                tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
            var events = [Darwin.kevent](repeating: Darwin.kevent(), count: 64)
            let count = withUnsafePointer(to: &limit) {
                kevent(queue, nil, 0, &events, Int32(events.count), milliseconds < 0 ? nil : $0)
            }
            var found = Found()
            for event in events.prefix(max(0, Int(count))) {
                let number = Int32(truncatingIfNeeded: event.ident)
                if number == wakeUps.read {
                    forgetWakeUps()
                } else if event.fflags & UInt32(NOTE_DELETE) != 0 {
                    // Closed with the lock held by who forgets it: the number may be used again at once.
                    found.gone.append(number)
                } else {
                    found.written.append(number)
                }
            }
            return found
        }
    }

#endif
