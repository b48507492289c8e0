#if os(Linux)
    import Foundation
    import Larder
    import LarderTransfer
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Where a store's file may be, on every engine with files.
    struct FilePlaceTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test(arguments: Engine.inFiles)
        func `a URL that is no file URL is refused by tools and addresses`(_ engine: Engine) throws {
            let url = try #require(URL(string: "https://example.org\(folder.path)/store"))
            let address = engine.address(at: url)
            let store = engine.makeStore(at: folder.file("source"))
            try store.setup()
            let schema = try StoreSchema(storing: [Entry.self])

            let refusals = [
                thrown { try engine.isStore(at: url) }, thrown { try address.storedSchema() },
                thrown { try address.adapter(for: .writing).open(schema) },
                thrown { try address.adapter(for: .reading).open(schema) },
                thrown { try Engine.backUp(store, to: url) },
                thrown { try UntypedStore(reading: address) },
                thrown { try StoreCutOver(from: address, to: engine.address(at: folder.file("b"))).state() },
            ]

            #expect(refusals.map(\.?.code) == Array(repeating: .cannotOpen, count: 7))
            for refusal in refusals {
                #expect(refusal?.description.contains(url.absoluteString) == true, "\(refusal as Any)")
            }
            try store.destroy()
            #expect(try folder.names == [])
        }

        @Test(arguments: Engine.inFiles)
        func `a store of another engine is called by its name and stays as it was`(_ engine: Engine) throws {
            let url = folder.file("store")
            let other: Engine = engine == .sqlite ? .lmdb : .sqlite
            let made = other.makeStore(at: url)
            try made.setup()
            try made.tearDown()
            let before = try folder.contents

            let refused = try #require(thrown { try engine.makeStore(at: url).setup() })

            #expect(refused.code == .notADatabase)
            #expect(
                refused.message
                    == (other == .sqlite ? "The file is a SQLite database." : "The file is an LMDB file."))
            let type = other == .sqlite ? "SQLiteDataStore" : "LMDBDataStore"
            #expect(refused.advice.contains("Open it with \(type)"))
            #expect(refused.path == url.path)
            #expect(try !engine.isStore(at: url))
            #expect(thrown { try engine.makeStore(at: url).destroy() }?.code == .notADatabase)
            #expect(try folder.contents == before)
        }

        /// Closing a file drops all locks of the process on it, also those of an engine.
        @Test(arguments: Engine.inFiles)
        func `a store that is open is not looked at by plain reads`(_ engine: Engine) throws {
            let url = folder.file("store")
            let store = engine.makeStore(at: url)
            try store.setup()

            for other in Engine.inFiles { #expect(code { try other.isStore(at: url) } == .alreadyOpen) }

            try store.tearDown()
            #expect(try engine.isStore(at: url))
        }

        @Test(.enabled(if: SmallDisk.canBeReadOnly), arguments: Engine.inFiles)
        func `a store cannot be made on a read-only disk and the error names its folder`(
            _ engine: Engine
        ) throws {
            let found = try SmallDisk(bytes: 2 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let view = try disk.readOnlyView()

            for (path, missing) in [("store", view.path), ("a/b/store", view.path + "/a")] {
                let url = view.appendingPathComponent(path)
                let refused = try #require(thrown { try engine.makeStore(at: url).setup() })
                #expect(refused.code == .readOnly)
                #expect(refused.path == url.path)
                #expect(refused.message.contains(missing), "\(refused)")
                #expect(refused.advice == "Choose a folder that can be written to.")
            }
        }

        @Test(arguments: Engine.inFiles)
        func `folders made for a store that could not be made are removed again`(_ engine: Engine) throws {
            let found = try SmallDisk(bytes: 2 << 20, files: 4)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let url = disk.url.appendingPathComponent("a/b/c/store")

            #expect(code { try engine.makeStore(at: url).setup() } == .storeFull)

            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
        }

        @Test(arguments: Engine.inFiles)
        func `threads that make one store at once leave a whole one`(_ engine: Engine) throws {
            for round in 0..<20 {
                let url = folder.file("\(engine)-\(round)")
                try sideBySide(
                    (0..<3).map { _ in
                        {
                            let store = engine.makeStore(at: url)
                            do throws(DataStoreError) {
                                try store.setup()
                                try store.tearDown()
                            } catch {
                                guard error.code == .alreadyOpen else { throw error }
                            }
                        }
                    })
                let store = engine.makeStore(at: url)
                try store.setup()
                #expect(try store.read { try $0.countItems(for: Entry.all) } == 0)
                try store.tearDown()
            }
        }
    }
#endif
