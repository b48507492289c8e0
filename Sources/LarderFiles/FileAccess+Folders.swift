import LarderKernel
import LarderPlatform

// MARK: Making

extension FileAccess {
    /// Makes the folders above a path that are missing, so that only their owner can enter them, and syncs
    /// each; returns those it has made, the topmost first.
    ///
    /// - Throws: The error that prevents one from being created; then none remains.
    static func makeFolders(above path: String) throws(DataStoreError) -> [String] {
        var missing: [String] = []
        var folder = parts(of: path).folder
        while try status(at: folder) == nil, folder != parts(of: folder).folder {
            missing.append(folder)
            folder = parts(of: folder).folder
        }
        var made: [String] = []
        do throws(DataStoreError) {
            for folder in missing.reversed() {
                if mkdir(folder, 0o700) == 0 {
                    made.append(folder)
                } else if errno != EEXIST {
                    let code = errno
                    throw failure(
                        code, "The folder \(folder) cannot be created.", advice: adviceForMaking(code),
                        path: path)
                }
                try synchronize(parts(of: folder).folder)
            }
        } catch {
            removeFolders(made)
            throw error
        }
        return made
    }

    /// Makes a folder beside a file, whose name ends with a kind and the lowest free number, and returns its path.
    static func makeNumberedFolder(beside path: String, _ kind: String) throws(DataStoreError) -> String {
        let start = SiblingNames.numbered(path, kind)
        var number = 1
        while true {
            let folder = "\(start)\(number)"
            if mkdir(folder, 0o700) == 0 { return folder }
            if errno != EEXIST { throw failure(errno, making: folder) }
            number += 1
        }
    }

    /// Runs a body while no other process, and no other thread, runs one for the same folder.
    static func whileLocked<Result>(
        _ folder: String, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        // A lock of the folder itself leaves no file there, and ends with the process.
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno, "The folder cannot be opened.", path: folder) }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            if errno != EINTR { throw failure(errno, "The folder cannot be locked.", path: folder) }
        }
        // A process that was forked meanwhile has the folder open too, and would keep the lock.
        defer { flock(file, LOCK_UN) }
        return try body()
    }

    /// Runs a body as ``whileLocked(_:_:)`` does, or not at all while another runs.
    static func ifUnlocked(
        _ folder: String, _ body: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(errno, "The folder cannot be opened.", path: folder) }
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(file, LOCK_UN) }
        try body()
    }

    /// Removes folders that were made and are empty, the last of them first.
    static func removeFolders(_ folders: [String]) {
        for folder in folders.reversed() { rmdir(folder) }
    }
}

// MARK: Who may write

extension FileAccess {
    /// True if this process may make and remove files in a folder.
    package static func canMakeFiles(in folder: String) -> Bool {
        faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0
    }

    /// True if the user of this process owns a file, or may give files to others.
    package static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && (status.st_uid == geteuid() || geteuid() == 0)
    }

    /// True if all users keep their rights when a new file of this process, with the same mode, takes a file's place.
    static func keepsRights(replacing path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        // The superuser of a container may lack the right to give files away; giving it to its owner shows that.
        if geteuid() == 0, chown(path, status.st_uid, status.st_gid) == 0 {
            // The system has taken these bits away.
            if status.st_mode & 0o6000 != 0 { _ = chmod(path, status.st_mode & 0o7777) }
            return true
        }
        // The last one stays what it is.
        var groups = [gid_t](repeating: getegid(), count: Int(getgroups(0, nil)) + 1)
        _ = getgroups(Int32(groups.count), &groups)
        let isOwn = status.st_uid == geteuid()
        return keepsRights(status.st_mode, owner: isOwn, group: groups.contains(status.st_gid))
    }

    /// True if a mode gives all users the same rights when the owner or the group of the file does not stay.
    static func keepsRights(_ mode: mode_t, owner staysOwner: Bool, group staysGroup: Bool) -> Bool {
        let (owner, group, others) = (mode >> 6 & 7, mode >> 3 & 7, mode & 7)
        // It is not known if the former owner is in the group.
        return (staysOwner || owner & ~(group & others) == 0) && (staysGroup || group == others)
    }

    /// True if this process may write to an existing file.
    package static func canWrite(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// True if this process may read an existing file.
    package static func canRead(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
    }

    /// True if no process can write to a file, or create one in a folder: the file system is read-only, or the mode of the
    /// file or folder lets no user write.
    ///
    /// The superuser, whom no mode binds, could nevertheless, and so could a process that sees the file
    /// system mounted elsewhere for writing.
    package static func isClosedToAll(_ path: String) -> Bool {
        if isOnReadOnlyDisk(path) { return true }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o222 == 0
    }

    /// True if the file system of a path is read-only, even for the superuser.
    package static func isOnReadOnlyDisk(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }
}

extension FileAccess {
    /// True if the file system of a path has no space for another byte or another file.
    package static func hasNoRoom(at path: String) -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        // If the number of files is not limited, it is 0.
        return status.f_bavail == 0 || (status.f_files > 0 && status.f_ffree == 0)
    }
}

// MARK: Errors

extension FileAccess {
    /// The error that prevented a file from being created, naming its folder.
    static func failure(_ code: Int32, making path: String) -> DataStoreError {
        let folder = parts(of: path).folder
        let message =
            code == ENOENT
            ? "The folder \(folder) does not exist." : "No file can be created in the folder \(folder)."
        return failure(code, message, advice: adviceForMaking(code), path: path)
    }

    private static func adviceForMaking(_ code: Int32) -> String? {
        [.permissionDenied, .readOnly].contains(self.code(for: code))
            ? "Choose a folder that can be written to." : nil
    }

    /// The error that prevented a finished file from getting its name.
    static func failure(_ code: Int32, moving temporary: String, to path: String) -> DataStoreError {
        let folder = parts(of: path).folder
        guard code == ENOENT else { return failure(code, "The file cannot be moved into place.", path: path) }
        guard isTaken(folder) else {
            return failure(code, "The folder \(folder) was removed meanwhile.", path: path)
        }
        return failure(
            code, "The unfinished file in the folder \(folder) was removed meanwhile.",
            advice: "Repeat the call.", path: path)
    }

    private static func failure(
        _ code: Int32, _ message: String, advice: String?, path: String
    ) -> DataStoreError {
        DataStoreError(
            self.code(for: code), message, advice: advice, path: path, underlying: underlying(code))
    }
}
