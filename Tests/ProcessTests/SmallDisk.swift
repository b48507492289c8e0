import Foundation

@testable import AdapterTestSupport

#if os(Linux)
    /// A small file system in memory, with a file on it that takes what room there is to be too little.
    final class SmallDisk: Sendable {
        let url: URL
        private let folder: TemporaryFolder
        /// The size of a block where that matters; else 0.
        private let blockBytes: Int
        private var ballast: URL { url.appendingPathComponent("ballast") }

        /// Nil where nothing may be mounted.
        ///
        /// - Parameter files: How many files and folders there can be, itself included; 0 for any number.
        init?(bytes: Int, files: Int = 0) throws {
            folder = try TemporaryFolder()
            blockBytes = 0
            url = folder.url.appendingPathComponent("disk")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            guard geteuid() == 0,
                mount("tmpfs", url.path, "tmpfs", 0, "size=\(bytes),nr_inodes=\(files)") == 0
            else {
                return nil
            }
        }

        /// A disk whose space is given out in blocks smaller than a page of memory; nil where none can be made.
        init?(bytes: Int, blockBytes: Int) throws {
            folder = try TemporaryFolder()
            self.blockBytes = blockBytes
            url = folder.url.appendingPathComponent("disk")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            let image = folder.path("image")
            guard geteuid() == 0, FileManager.default.createFile(atPath: image, contents: nil),
                truncate(image, bytes) == 0,
                // Without a journal, which would take most of it, and without space for the superuser alone.
                try Self.run(
                    "mkfs.ext4", "-q", "-b", "\(blockBytes)", "-m", "0", "-O", "^has_journal", image),
                try Self.run("mount", "-o", "loop", image, url.path)
            else { return nil }
            try Self.remove(url.appendingPathComponent("lost+found"))
        }

        private static func run(_ program: String, _ arguments: String...) throws -> Bool {
            let places = ["/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"].map { $0 + program }
            guard let path = places.first(where: FileManager.default.isExecutableFile) else { return false }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        deinit {
            umount2(folder.path("view"), 2)  // MNT_DETACH
            umount2(url.path, 2)
        }

        var freeBytes: Int {
            get throws {
                let attributes = try FileManager.default.attributesOfFileSystem(forPath: url.path)
                return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
            }
        }

        /// Leaves only so many bytes free.
        func fill(leaving bytes: Int) throws {
            if blockBytes > 0 { return try fillBlocks(leaving: bytes) }
            let count = max(0, try freeBytes - bytes)
            try Data(repeating: 1, count: count).write(to: ballast)
        }

        /// A block at a time, as the file system takes some for itself.
        private func fillBlocks(leaving bytes: Int) throws {
            try Data().write(to: ballast)
            let file = try FileHandle(forWritingTo: ballast)
            defer { try? file.close() }
            let block = Data(repeating: 1, count: blockBytes)
            while try freeBytes > bytes {
                do { try file.write(contentsOf: block) } catch { break }
            }
            try? file.synchronize()
        }

        /// True if this machine shows a file system read-only: not every container does.
        ///
        /// A container may have no loop devices, or no right to mount one. Tests with it are left out there, as the
        /// library cannot be at fault.
        static let canBeReadOnly: Bool = {
            guard let disk = try? SmallDisk(bytes: 1 << 20) else { return false }
            try? Data([1]).write(to: disk.url.appendingPathComponent("file"))
            return (try? disk.readOnlyView()) != nil
        }()

        /// Shows the file system in a second place, read-only, also for the superuser.
        ///
        /// The first place stays writable: to make all of it read-only, no process may have a file of it open for
        /// writing, and a process that another test started may have inherited one.
        func readOnlyView() throws -> URL {
            let view = folder.url.appendingPathComponent("view")
            try FileManager.default.createDirectory(at: view, withIntermediateDirectories: false)
            let isMounted =
                mount(url.path, view.path, nil, UInt(MS_BIND), nil) == 0
                && mount(nil, view.path, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
            guard isMounted else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "errno \(errno)"])
            }
            return view
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
