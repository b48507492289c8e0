import Foundation

@testable import AdapterTestSupport

#if os(Linux)
    /// A small file system in memory, with a file on it that takes what room there is to be too little.
    final class SmallDisk {
        let url: URL
        private let folder: TemporaryFolder
        private var ballast: URL { url.appendingPathComponent("ballast") }

        /// Nil where nothing may be mounted.
        ///
        /// - Parameter files: How many files and folders there can be, itself included; 0 for any number.
        init?(bytes: Int, files: Int = 0) throws {
            folder = try TemporaryFolder()
            url = folder.url.appendingPathComponent("disk")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            guard geteuid() == 0,
                mount("tmpfs", url.path, "tmpfs", 0, "size=\(bytes),nr_inodes=\(files)") == 0
            else {
                return nil
            }
        }

        deinit {
            umount2(url.path, 2)  // MNT_DETACH
        }

        var freeBytes: Int {
            get throws {
                let attributes = try FileManager.default.attributesOfFileSystem(forPath: url.path)
                return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
            }
        }

        /// Leaves only so many bytes free.
        func fill(leaving bytes: Int) throws {
            let count = max(0, try freeBytes - bytes)
            try Data(repeating: 1, count: count).write(to: ballast)
        }

        /// Makes the whole file system read-only, also for the superuser.
        ///
        /// Tried until it works: a process that another test started at the wrong moment may have inherited a
        /// file that is open for writing, and keeps the file system busy until it ends.
        func becomeReadOnly() -> Bool {
            let end = ContinuousClock.now + .seconds(60)
            while mount("tmpfs", url.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
                guard errno == EBUSY, ContinuousClock.now < end else { return false }
                sched_yield()
            }
            return true
        }

        func makeRoom() throws {
            try Self.remove(ballast)
        }

        /// Deletes everything on it.
        func empty() throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
                try Self.remove(url.appendingPathComponent(name))
            }
        }

        /// Cut to nothing first: a process that another test started at the wrong moment may have inherited
        /// the open file, and keep its room for as long as it lives.
        private static func remove(_ file: URL) throws {
            truncate(file.path, 0)
            try FileManager.default.removeItem(at: file)
        }
    }
#endif
