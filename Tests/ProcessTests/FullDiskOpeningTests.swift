#if os(Linux)
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    /// A disk that is full when a store is opened.
    struct FullDiskOpeningTests {
        @Test(arguments: Engine.inFiles, [0, 4096, 16 << 10, 48 << 10])
        func `a store is refused or opened whole where there is hardly room and opened with room`(
            _ engine: Engine, free: Int
        ) throws {
            let found = try SmallDisk(bytes: 2 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let file = disk.url.appendingPathComponent("store")
            let first = engine.makeStore(at: file)
            try first.setup()
            try first.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "kept")) }
            try first.tearDown()
            for name in ["store-lock", "store-writer"] {
                try? FileManager.default.removeItem(at: disk.url.appendingPathComponent(name))
            }

            try disk.fill(leaving: free)
            let store = engine.makeStore(at: file)
            do throws(DataStoreError) {
                try store.setup()
                #expect((try? store.read { try $0.ids(for: Entry.all) }) == [1])
                try store.tearDown()
            } catch {
                #expect(error.code == .storeFull, "\(error)")
            }

            try disk.makeRoom()
            try store.setup()
            #expect(try store.read { try $0.ids(for: Entry.all) } == [1])
            try store.tearDown()
        }
    }
#endif
