#if os(Linux)
    import Foundation
    import Testing

    /// Commands that only look, where nothing can be made beside the store.
    struct ReadOnlyPlaceTests {
        private static let setpriv = "/usr/bin/setpriv"
        private static var canMount: Bool { geteuid() == 0 }

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Each command that only looks, with the number it ends with.
        private func commands(_ store: String, _ copy: String) -> [[String]] {
            [
                ["info", store], ["info", store, "Recipe"], ["query", store, "Recipe"], ["count", store],
                ["get", store, "Recipe", "0000000000001"], ["explain", store, "Recipe"], ["check", store],
                ["verify", store, copy], ["diff", store, copy], ["export", store],
                ["backup", store, folder.path("backup")],
                ["copy", store, folder.path("copied"), "--engine", "lmdb"],
            ]
        }

        private func removeCopies() throws {
            for name in try folder.names() where name.hasPrefix("backup") || name.hasPrefix("copied") {
                try FileManager.default.removeItem(atPath: folder.path(name))
            }
        }

        @Test(.enabled(if: canMount, "mounting needs root"), arguments: Engine.allCases)
        func `every command that only looks works on a read-only disk`(_ engine: Engine) throws {
            let disk = folder.path("disk")
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            try #require(mount("tmpfs", disk, "tmpfs", 0, "size=8m") == 0)
            defer { umount2(disk, 2) }  // MNT_DETACH
            try engine.makeStore(at: URL(fileURLWithPath: disk + "/store"))
            let copy = folder.url.appendingPathComponent("copy")
            try engine.makeStore(at: copy)
            let names = try FileManager.default.contentsOfDirectory(atPath: disk)
            // A process that another test started may have inherited a file that is open for writing, until
            // it ends.
            while mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
                try #require(errno == EBUSY)
                sched_yield()
            }

            for options in [[], ["--assume-no-writer"]] {
                for arguments in commands(disk + "/store", copy.path) {
                    let run = try CommandRun(arguments + options)
                    #expect(run.status == 0, "\(arguments): \(run.messages)")
                }
                try removeCopies()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == names)
        }

        @Test(
            .enabled(if: canMount && access(setpriv, X_OK) == 0, "becoming another user needs root"),
            arguments: Engine.allCases)
        func `where others may write the promise is asked for and taken`(_ engine: Engine) throws {
            let store = folder.url.appendingPathComponent("store")
            try engine.makeStore(at: store)
            for suffix in ["-lock", "-writer"] { unlink(store.path + suffix) }
            chmod(folder.url.path, 0o755)
            chmod(store.path, 0o644)

            for command in ["info", "check"] {
                let refused = try runAsNobody(command, store.path)
                #expect(refused.status == 77)
                #expect(refused.messages.contains("use --assume-no-writer"), "\(refused.messages)")
                let run = try runAsNobody(command, store.path, "--assume-no-writer")
                #expect(run.status == 0, "\(run.messages)")
            }
            #expect(try folder.names() == ["store"])
        }

        private func runAsNobody(_ arguments: String...) throws -> CommandRun {
            let change = ["--reuid=65534", "--regid=65534", "--clear-groups"]
            return try CommandRun(
                change + [CommandRun.executable.path] + arguments, by: URL(fileURLWithPath: Self.setpriv))
        }

        @Test(arguments: Engine.allCases)
        func `info counts the files that are there and not those it makes`(_ engine: Engine) throws {
            let store = folder.url.appendingPathComponent("store")
            try engine.makeStore(at: store)
            for suffix in ["-lock", "-writer"] { unlink(store.path + suffix) }
            let bytes = try Data(contentsOf: store).count

            let run = try CommandRun(["info", store.path, "--json"])

            #expect(run.output.contains("\"bytes\":\(bytes),"), "\(run.output)")
        }
    }
#endif
