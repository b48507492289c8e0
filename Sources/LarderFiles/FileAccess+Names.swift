import LarderPlatform

// Moving a file to a name only if that is free, in one step.
extension FileAccess {
    /// Gives a file another name in its folder, and takes the first one away; false, and nothing changed, when the name
    /// is taken.
    ///
    /// If neither the system nor the file system can do so in one step, the name is looked for first.
    static func moveToFree(_ path: String, as newPath: String) -> (isDone: Bool, error: Int32?) {
        let code = moveExclusively(path, as: newPath)
        switch code {
        case 0: return (true, nil)
        case EEXIST: return (false, nil)
        case EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP:
            if isTaken(newPath) { return (false, nil) }
            return rename(path, newPath) == 0 ? (true, nil) : (false, errno)
        default: return (false, code)
        }
    }

    /// Returns 0 or an error number, `ENOSYS` if the system has no such call.
    private static func moveExclusively(_ path: String, as newPath: String) -> Int32 {
        #if canImport(Darwin)
            return renamex_np(path, newPath, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
        #elseif os(Linux)
            guard let renameAt2 else { return ENOSYS }
            let noReplace: UInt32 = 1  // RENAME_NOREPLACE
            return renameAt2(AT_FDCWD, path, AT_FDCWD, newPath, noReplace) == 0 ? 0 : errno
        #else
            return ENOSYS
        #endif
    }

    #if os(Linux)
        private typealias RenameAt2 =
            @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

        // reason: <stdio.h> declares it only for _GNU_SOURCE, and Swift's module of the C library is built without it.
        // Its type follows the manual page.
        private static let renameAt2: RenameAt2? = dlsym(nil, "renameat2").map {
            unsafeBitCast($0, to: RenameAt2.self)
        }
    #endif
}
