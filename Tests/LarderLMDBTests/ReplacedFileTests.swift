#if os(Linux)
    import Foundation
    import Larder
    import LarderFiles
    import LarderLMDB
    import Testing

    @testable import AdapterTestSupport

    /// A store whose file another process replaces after this one has waited for it, and before LMDB opens the files.
    ///
    /// A third process has waited in LMDB for the locks of the old file, and gets them as soon as they are free. With them
    /// it keeps the number of the old file's last commit.
    @Suite struct `A store that is replaced while it is opened` {
        private let folder: TemporaryFolder
        private let url: URL
        private let waiting: WaitingProcess
        private let recipes: [Recipe]

        private static let rounds = [0, 1]

        init() throws {
            folder = try TemporaryFolder()
            url = folder.file("store.mdb")
            let store = try TestStore(at: url)
            recipes = (1...8).map { Recipe($0) }
            for recipe in recipes { try store.insert([recipe]) }
            try store.close()
            waiting = WaitingProcess(for: url.adding("-lock"))
        }

        /// Makes the file that takes the store's place, as compacting does.
        ///
        /// - Parameter more: A number of commits. It decides which of the two first pages LMDB reads.
        private func makeCompacted(after more: Int) throws -> [Recipe] {
            let store = try TestStore(at: url)
            let added = (0..<more).map { Recipe(Int64(100 + $0)) }
            for recipe in added { try store.insert([recipe]) }
            try store.adapter.backup(to: folder.file("compacted"))
            try store.close()
            return recipes + added
        }

        /// Options with which the first opening is interrupted.
        private func options(_ count: Locked<Int>, _ replace: @escaping @Sendable () -> Void) -> LMDBOptions {
            var options = LMDBOptions.forTests
            options.openingProbe = {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { replace() }
            }
            return options
        }

        @Test(arguments: rounds)
        func `is opened again, and is the new one`(_ more: Int) throws {
            let expected = try makeCompacted(after: more)
            try Data().write(to: folder.file("empty"))
            let count = Locked(0)
            let options = options(count) { [folder, url, waiting] in
                #expect(rename(folder.path("compacted"), url.path) == 0)
                #expect(rename(folder.path("empty"), url.path + "-lock") == 0)
                #expect(waiting.takeLock())
            }

            let store = try TestStore(at: url, options: options)

            #expect(count.withLock { $0 } == 2)
            #expect(try store.all(Recipe.self) == expected)
            // The claims are those of the new files.
            #expect(code { try TestStore(at: url) } == .alreadyOpen)
            try store.insert([Recipe(1000)])
            try store.close()
            #expect(try TestStore(at: url).all(Recipe.self) == expected + [Recipe(1000)])
        }

        @Test func `keeps what it has claimed, so that no new file is taken for it`() throws {
            try Data().write(to: folder.file("empty"))
            _ = try makeCompacted(after: 0)
            let held = Locked<[Bool]>([])
            let options = options(Locked(0)) { [folder, url] in
                #expect(rename(folder.path("compacted"), url.path) == 0)
                #expect(rename(folder.path("empty"), url.path + "-lock") == 0)
                held.withLock {
                    $0 = (0..<100).map { number in
                        let new = folder.path("new \(number)")
                        guard FileManager.default.createFile(atPath: new, contents: nil),
                            let identity = try? FileAccess.status(at: new)?.identity
                        else { return true }
                        return OpenFileRegistry.shared.isHeld(identity)
                    }
                }
            }

            let store = try TestStore(at: url, options: options)

            #expect(held.withLock { $0 } == Array(repeating: false, count: 100))
            try store.close()
        }

        @Test func `is made anew if another process removes it, and not taken for a foreign one`() throws {
            let count = Locked(0)
            let options = options(count) { [url] in
                for suffix in ["-lock", "-writer", ""] { #expect(unlink(url.path + suffix) == 0) }
            }

            let store = try TestStore(at: url, options: options)

            #expect(count.withLock { $0 } == 2)
            #expect(try store.all(Recipe.self) == [])
        }

        @Test func `is opened again if its file is gone when LMDB opens it`() throws {
            let (next, link) = (folder.file("next.mdb"), folder.file("link"))
            let other = try TestStore(at: next)
            try other.insert([Recipe(9)])
            try other.close()
            #expect(symlink(url.path, link.path) == 0)
            let count = Locked(0)
            var options = options(count) { [url] in
                #expect(unlink(url.path) == 0)
                #expect(unlink(link.path) == 0)
                #expect(symlink(next.path, link.path) == 0)
            }
            // LMDB makes no file then.
            options.isReadOnly = true

            let store = try TestStore(at: link, options: options)

            #expect(count.withLock { $0 } == 2)
            #expect(try store.all(Recipe.self) == [Recipe(9)])
        }

        @Test(arguments: rounds)
        func `by a process that was killed before it replaced the locks is busy while they are held`(
            _ more: Int
        ) throws {
            let expected = try makeCompacted(after: more)
            let count = Locked(0)
            let options = options(count) { [folder, url, waiting] in
                #expect(rename(folder.path("compacted"), url.path) == 0)
                #expect(waiting.takeLock())
            }

            #expect(code { try TestStore(at: url, options: options) } == .busy)

            #expect(count.withLock { $0 } == 2)
            waiting.exit()
            let store = try TestStore(at: url)
            #expect(try store.all(Recipe.self) == expected)
            try store.insert([Recipe(1000)])
            try store.close()
            #expect(try TestStore(at: url).all(Recipe.self) == expected + [Recipe(1000)])
        }

        /// The places in a lock file of what differs between the builds of LMDB: its mark, and the form of its locks.
        @Test(arguments: [0, 4])
        func `with locks of another build of LMDB in use is busy, and not set aside`(_ offset: Int) throws {
            let lockFile = url.adding("-lock")
            var bytes = try Data(contentsOf: lockFile)
            bytes[offset] ^= 0x40
            let handle = try FileHandle(forWritingTo: lockFile)
            try handle.write(contentsOf: bytes)
            try handle.close()
            let before = try Data(contentsOf: url)
            var options = DataStoreOptions()
            options.recovery = .recreate(keepingBackup: { _ in Issue.record("The store was set aside.") })
            let store = LMDBDataStore(
                at: url, storing: [Recipe.self], options: .forTests, storeOptions: options)
            #expect(waiting.takeLock())

            let error = thrown { try store.setup() }

            #expect(error?.code == .busy)
            #expect(
                error?.message
                    == "Another process has the store open, with a build of LMDB that has other locks.")
            #expect(try Data(contentsOf: url) == before)
            #expect(try folder.names == ["store.mdb", "store.mdb-lock", "store.mdb-writer"])
            // Without the other process, LMDB overwrites the locks.
            waiting.exit()
            try store.setup()
            #expect(try store.read { try $0.items(for: Recipe.all) } == recipes)
            try store.tearDown()
        }
    }
#endif
