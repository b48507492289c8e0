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

        /// Shows a folder in a second place, read-only, also for the superuser; false where that is not possible.
        private static func show(_ folder: String, readOnlyAt view: String) throws -> Bool {
            try FileManager.default.createDirectory(atPath: view, withIntermediateDirectories: false)
            return mount(folder, view, nil, UInt(MS_BIND), nil) == 0
                && mount(nil, view, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
        }

        /// True if this machine mounts folders read-only: not every container does.
        private static let canMountReadOnly: Bool = {
            guard canMount, let folder = try? TemporaryFolder() else { return false }
            defer { umount2(folder.path("view"), 2) }  // MNT_DETACH
            return (try? show(folder.url.path, readOnlyAt: folder.path("view"))) == true
        }()

        @Test(.enabled(if: canMountReadOnly), arguments: Engine.allCases)
        func `every command that only looks works on a read-only disk`(_ engine: Engine) throws {
            let origin = folder.path("disk")
            let disk = folder.path("view")
            try FileManager.default.createDirectory(atPath: origin, withIntermediateDirectories: false)
            try engine.makeStore(at: URL(fileURLWithPath: origin + "/store"))
            let copy = folder.url.appendingPathComponent("copy")
            try engine.makeStore(at: copy)
            let names = try FileManager.default.contentsOfDirectory(atPath: origin)
            try #require(try Self.show(origin, readOnlyAt: disk))
            defer { umount2(disk, 2) }  // MNT_DETACH

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

        @Test(.enabled(if: canMount && access(setpriv, X_OK) == 0, "becoming another user needs root"))
        func `a folder that may not be looked into ends with 77`() throws {
            let closed = folder.url.appendingPathComponent("closed")
            try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: false)
            let store = closed.appendingPathComponent("store")
            try Engine.sqlite.makeStore(at: store)
            chmod(folder.url.path, 0o755)
            chmod(closed.path, 0o700)

            for command in ["info", "check", "compact"] {
                let run = try runAsNobody(command, store.path)
                #expect(run.status == 77, "\(command)")
                #expect(
                    run.messages
                        == "larder: \(store.path): The folder of this path may not be looked into. "
                        + "Get access to the folder, or run the command as its owner.\n")
            }
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
