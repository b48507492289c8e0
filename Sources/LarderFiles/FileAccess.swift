package import LarderKernel
import LarderPlatform

/// The identity of a file, independent of its name: two paths with the same identity lead to one file.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    /// The number that no other file of the same file system has.
    fileprivate let inode: UInt64

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The properties of a file in the file system.
package struct FileStatus: Sendable {
    package let identity: FileIdentity
    package let byteCount: Int
    package let isFolder: Bool
    package let isRegularFile: Bool
    /// The number of names of the file.
    package let linkCount: Int
    /// The time of the last change of its content, in nanoseconds since 1970.
    private let changeTime: Int64
    /// The time of the last change of its content, its names or its rights.
    private let statusTime: Int64

    fileprivate init(_ status: stat) {
        identity = FileIdentity(status)
        byteCount = Int(clamping: status.st_size)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        linkCount = Int(status.st_nlink)
        #if canImport(Darwin)
            let times = (status.st_mtimespec, status.st_ctimespec)
        #else
            let times = (status.st_mtim, status.st_ctim)
        #endif
        changeTime = Self.nanoseconds(times.0)
        statusTime = Self.nanoseconds(times.1)
    }

    /// Of 64 bits on every system, as times are compared, and must not wrap.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension FileStatus {
    /// A text for the file and its present state, which differs after every change.
    ///
    /// The number of its device is left out, as it may change when the machine starts again.
    package var stateText: String { "\(identity.inode) \(byteCount) \(changeTime)" }

    /// True if the content has not changed since another file lost a name, or since a later change of that.
    func isUnchanged(sinceChangeOf other: FileStatus) -> Bool { changeTime <= other.statusTime }
}

/// Files beside the engine: what is read, moved, synced and removed by the library itself.
///
/// *Rule:* never open a file in this way while an engine has it open in this process; see
/// ``OpenFileRegistry``.
package enum FileAccess {
    /// The file at a path, following links, or nil if there is none.
    package static func status(at path: String) throws(DataStoreError) -> FileStatus? {
        var result = stat()
        if stat(path, &result) == 0 { return FileStatus(result) }
        if errno == ENOENT { return nil }
        throw failure(errno, "The path cannot be looked up.", path: path)
    }

    /// The properties of an open file.
    package static func status(ofOpen file: Int32, at path: String) throws(DataStoreError) -> FileStatus {
        var result = stat()
        if fstat(file, &result) == 0 { return FileStatus(result) }
        throw failure(errno, "The file cannot be examined.", path: path)
    }

    /// True if a path still leads to this file.
    ///
    /// *Cost:* one system call.
    package static func isFile(_ identity: FileIdentity, at path: String) -> Bool {
        var result = stat()
        return stat(path, &result) == 0 && FileIdentity(result) == identity
    }

    /// True if a path is itself a name of this file, and not a link that leads to it.
    package static func isName(_ path: String, of identity: FileIdentity) -> Bool {
        var result = stat()
        return lstat(path, &result) == 0 && FileIdentity(result) == identity
    }

    /// The properties of what has this name, be it a link; nil if there is nothing, or it cannot be looked up.
    package static func statusOfName(_ path: String) -> FileStatus? {
        var result = stat()
        return lstat(path, &result) == 0 ? FileStatus(result) : nil
    }

    /// True if a path itself is taken, even by a dangling link.
    package static func isTaken(_ path: String) -> Bool {
        var result = stat()
        return lstat(path, &result) == 0
    }

    /// The path without links and relative parts; its last component need not exist, even if a link leads to it.
    ///
    /// - Throws: `.cannotOpen` naming the folder that is missing.
    package static func resolved(_ path: String) throws(DataStoreError) -> String {
        var end = path
        while true {
            if let whole = realPath(end) { return whole }
            let isCircle = errno == ELOOP
            let (folder, name) = parts(of: end)
            guard let realFolder = realPath(folder) else {
                throw failure(errno, "The folder \(folder) cannot be opened.", path: path)
            }
            let place = realFolder == "/" ? "/" + name : realFolder + "/" + name
            guard !isCircle, let next = target(ofLink: place) else { return place }
            end = next.hasPrefix("/") ? next : realFolder + "/" + next
        }
    }

    /// The text of a symbolic link; nil if there is none at the path, or the text is not UTF-8.
    private static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: longestPath)
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return bytes.withUnsafeBytes { bytes -> String? in
            let target = String(decoding: bytes.prefix(count), as: UTF8.self)
            return target.utf8.elementsEqual(bytes.prefix(count)) ? target : nil
        }
    }

    /// No system takes a longer path.
    private static let longestPath = 4096

    /// The folder and the name in a path.
    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// The first bytes of a file, fewer if it is shorter, and what it is.
    package static func firstBytes(
        _ count: Int, of path: String
    ) throws(DataStoreError) -> (bytes: [UInt8], status: FileStatus) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw failure(errno, "The file cannot be opened.", path: path) }
        defer { close(file) }
        let status = try status(ofOpen: file, at: path)
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(file, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
            }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw failure(errno, "The file cannot be read.", path: path) }
            if read == 0 { break }
            filled += read
        }
        return (Array(bytes[..<filled]), status)
    }

    /// Waits until a file that changes gets another time than one that has changed before the call.
    ///
    /// File systems note the tick of the kernel's clock, which is up to 10 ms long (Linux before 6.13).
    package static func waitForNextTick() {
        usleep(20_000)
    }

    /// The names in a folder, without `.` and `..`; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// The number of bytes that an ordinary user can still write beside a path, or nil if unknown.
    package static func availableBytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).0)
    }

    private static func realPath(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

// MARK: Changing

extension FileAccess {
    /// Makes an empty file that only its owner can read; one that is there already is emptied.
    ///
    /// - Parameters:
    ///   - finalPath: The path to name in errors if the file will be moved there.
    ///   - isNew: True to refuse a file, or a link, that is there already.
    package static func makeFile(
        _ path: String, for finalPath: String? = nil, isNew: Bool = false
    ) throws(DataStoreError) {
        let file = open(path, O_RDWR | O_CREAT | (isNew ? O_EXCL : O_TRUNC) | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno, making: finalPath ?? path) }
        close(file)
    }

    /// Writes a file whole, whatever it was; one that is there keeps its identity.
    package static func write(_ bytes: [UInt8], to path: String) throws(DataStoreError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno, making: path) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(file, buffer.baseAddress.map { $0 + written }, bytes.count - written, off_t(written))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure(errno, "The file cannot be written.", path: path) }
            written += count
        }
    }

    /// Gives a file a second name in its folder; false, and nothing changed, when that name is taken.
    ///
    /// If the file system has no hard links, the file only has the second name afterwards.
    package static func addName(_ newPath: String, to path: String) throws(DataStoreError) -> Bool {
        if let isDone = try makeLink(newPath, to: path) { return isDone }
        let (isDone, error) = moveToFree(path, as: newPath)
        if let error { throw failure(error, "The file cannot be given another name.", path: path) }
        return isDone
    }

    /// Gives a file a second name in its folder; false when that name is taken, nil if the file system has no
    /// hard links.
    package static func makeLink(_ newPath: String, to path: String) throws(DataStoreError) -> Bool? {
        if link(path, newPath) == 0 { return true }
        let code = errno
        if isTaken(newPath) { return false }
        if linklessCodes.contains(code) { return nil }
        throw failure(code, "The file cannot be given another name.", path: path)
    }

    /// The error numbers of a file system without hard links.
    private static let linklessCodes = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS]

    /// Makes a copy of a file in a place that is free, and waits until it is on the disk.
    package static func duplicate(_ path: String, to newPath: String) throws(DataStoreError) {
        let copy = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw failure(errno, making: newPath) }
        close(copy)
        try fill(newPath, with: path)
        try synchronize(newPath)
    }

    /// Writes the content of a file to one that is there and empty.
    ///
    /// - Parameter work: The subject of the error if the task is cancelled; nil to continue to the end.
    package static func fill(
        _ newPath: String, with path: String, stopping work: StaticString? = nil
    ) throws(DataStoreError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure(errno, "The file cannot be opened.", path: path) }
        defer { close(source) }
        let copy = open(newPath, O_WRONLY | O_CLOEXEC)
        guard copy >= 0 else { throw failure(errno, "The file cannot be opened.", path: newPath) }
        defer { close(copy) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var position = 0
        while true {
            if let work { try Cancellation.check(work) }
            let count = pread(source, &bytes, bytes.count, off_t(position))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno, "The file cannot be read.", path: path) }
            if count == 0 { break }
            let written = pwrite(copy, bytes, count, off_t(position))
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw failure(errno, "The file cannot be written.", path: newPath) }
            position += written
        }
    }

    /// Gives a file the mode of another one, and its owner and group if the process may.
    ///
    /// - Throws: `.permissionDenied` if other users would have other rights because it may not.
    static func adoptPermissions(of path: String, for copy: String) throws(DataStoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw failure(errno, "The path cannot be looked up.", path: path)
        }
        // First the owner, as the system takes some bits of the mode away with it. A user who cannot give files away may
        // give them to his groups.
        if chown(copy, status.st_uid, status.st_gid) != 0 { _ = chown(copy, uid_t.max, status.st_gid) }
        var new = stat()
        let mode = status.st_mode
        guard stat(copy, &new) == 0,
            keepsRights(mode, owner: new.st_uid == status.st_uid, group: new.st_gid == status.st_gid)
        else { throw failure(EPERM, "The file cannot get the owner and group of the store.", path: copy) }
        guard chmod(copy, mode & 0o7777) == 0 else {
            throw failure(errno, "The file cannot get the permissions of the store.", path: copy)
        }
    }

    /// Waits until a file, or the names in a folder, are on the disk.
    package static func synchronize(_ path: String) throws(DataStoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno, "The file cannot be opened.", path: path) }
        defer { close(file) }
        #if canImport(Darwin)
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        // Some file systems cannot sync a folder and say EINVAL; there is nothing more to be done there.
        if fsync(file) != 0 && errno != EINVAL {
            throw failure(errno, "The file cannot be synced.", path: path)
        }
    }

    /// Gives a finished file its name and syncs the folder; false, and nothing changed, when it is taken.
    ///
    /// *Rule:* both paths are in one folder. A kill leaves the temporary name, the final one or both.
    ///
    /// - Parameter addLink: Makes a hard link, and returns 0 or an error number.
    package static func publish(
        _ temporary: String, as path: String,
        addLink: (_ path: String, _ newPath: String) -> Int32 = { link($0, $1) == 0 ? 0 : errno }
    ) throws(DataStoreError) -> Bool {
        let code = addLink(temporary, path)
        if code == 0 {
            unlink(temporary)
        } else if linklessCodes.contains(code) {
            let (isDone, error) = moveToFree(temporary, as: path)
            if let error { throw failure(error, moving: temporary, to: path) }
            if !isDone { return false }
        } else {
            if code == EEXIST || isTaken(path) { return false }
            throw failure(code, moving: temporary, to: path)
        }
        try synchronize(parts(of: path).folder)
        return true
    }

    /// Puts a finished file in the place of another and syncs the folder.
    ///
    /// *Rule:* both paths are in one folder. A kill leaves one file or the other, whole.
    package static func replace(_ path: String, by temporary: String) throws(DataStoreError) {
        try move(temporary, to: path)
        try synchronize(parts(of: path).folder)
    }

    /// Gives a finished file the name of another, which goes; the folder is not synced.
    package static func move(_ temporary: String, to path: String) throws(DataStoreError) {
        guard rename(temporary, path) == 0 else { throw failure(errno, moving: temporary, to: path) }
    }

    /// Removes a file; that there is none is well.
    package static func remove(_ path: String) throws(DataStoreError) {
        if unlink(path) != 0 && errno != ENOENT {
            throw failure(errno, "The file cannot be removed.", path: path)
        }
    }
}

// MARK: Errors

extension FileAccess {
    /// The error of the operating system as a `DataStoreError`.
    package static func failure(_ code: Int32, _ message: String, path: String) -> DataStoreError {
        DataStoreError(self.code(for: code), message, path: path, underlying: underlying(code))
    }

    /// The operating system's number and words.
    package static func underlying(_ code: Int32) -> DataStoreError.Underlying {
        DataStoreError.Underlying(source: "errno", code: Int(code), message: String(cString: strerror(code)))
    }

    /// The kind of error an error number stands for.
    package static func code(for code: Int32) -> DataStoreError.Code {
        switch code {
        case EACCES, EPERM: .permissionDenied
        case EROFS: .readOnly
        case ENOSPC, EDQUOT, EFBIG: .storeFull
        case EIO: .inputOutput
        default: .cannotOpen
        }
    }
}
