import LarderFiles

#if os(Linux)
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// A disk with room for bytes and none for a further name.
    struct FullFolderTests {
        private static let files = 12

        @Test(arguments: Engine.inFiles, 0...4)
        func `a store or a backup that finds no room for its names is refused as full`(
            _ engine: Engine, free: Int
        ) throws {
            let found = try SmallDisk(bytes: 4 << 20, files: Self.files)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let folder = try TemporaryFolder()
            let source = engine.makeStore(at: folder.file("source"))
            try source.setup()
            // The root of the disk is one of its files.
            for number in 0..<(Self.files - 1 - free) {
                try Data().write(to: disk.url.appendingPathComponent("filler \(number)"))
            }
            let before = try FileManager.default.contentsOfDirectory(atPath: disk.url.path).sorted()

            let store = engine.makeStore(at: disk.url.appendingPathComponent("store"))
            let opening = thrown {
                try store.setup()
                try store.destroy()
            }
            let backup = disk.url.appendingPathComponent("backup")
            let copying = thrown { try Engine.backUp(source, to: backup) }

            for failure in [opening, copying].compactMap({ $0 }) {
                #expect(failure.code == .storeFull, "\(failure)")
            }
            if free < 2 {
                #expect(opening != nil && copying != nil)
                #expect(failurePaths(opening, copying) == ["store", "backup"])
            }
            if copying == nil { try FileManager.default.removeItem(at: backup) }
            let after = try FileManager.default.contentsOfDirectory(atPath: disk.url.path).sorted()
            // A store that was made and could not be opened yet stays, and nothing beside it.
            if opening != nil { #expect(after == before || after == (before + ["store"]).sorted()) }
            try source.tearDown()
        }

        private func failurePaths(_ errors: DataStoreError?...) -> [String] {
            errors.compactMap { $0?.path.map { URL(fileURLWithPath: $0).lastPathComponent } }
        }

        /// From no page free to more than a new store needs.
        @Test(arguments: Engine.inFiles)
        func `a store or a backup that finds no room for its bytes is refused as full`(
            _ engine: Engine
        ) throws {
            let found = try SmallDisk(bytes: 1 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let folder = try TemporaryFolder()
            let source = engine.makeStore(at: folder.file("source"))
            try source.setup()
            try source.writeSync { try $0.insert(contentsOf: Entry.entries(ofBlock: 1)) }
            var refused = 0

            for pages in 0..<48 {
                try disk.empty()
                try disk.fill(leaving: pages * 4096)
                let store = engine.makeStore(at: disk.url.appendingPathComponent("store"))
                let opening = thrown {
                    try store.setup()
                    try store.destroy()
                }
                let backup = disk.url.appendingPathComponent("backup")
                let copying = thrown { try Engine.backUp(source, to: backup) }
                for failure in [opening, copying].compactMap({ $0 }) {
                    refused += 1
                    #expect(failure.code == .storeFull, "\(pages) pages: \(failure)")
                    #expect(failurePaths(failure).first?.hasPrefix(".") == false, "\(failure)")
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
                #expect(Set(left).isSubset(of: ["ballast", "store", "backup"]), "\(pages) pages: \(left)")
            }

            #expect(refused > 8)
            try source.tearDown()
        }

        @Test(arguments: Engine.inFiles)
        func `a backup to a folder that is not there names the folder`(_ engine: Engine) throws {
            let folder = try TemporaryFolder()
            let source = engine.makeStore(at: folder.file("source"))
            try source.setup()
            let url = folder.file("gone/backup")

            let refused = try #require(thrown { try Engine.backUp(source, to: url) })

            #expect(refused.code == .cannotOpen)
            #expect(refused.message.contains(folder.path + "/gone"))
            #expect(refused.path == url.path)
            try source.tearDown()
        }

        @Test func `a file whose folder is removed meanwhile is refused and the folder named`() throws {
            let folder = try TemporaryFolder()
            let inner = folder.file("inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            let path = inner.path + "/file"

            let refused = thrown {
                try NewFile(at: path).make { (_) throws(DataStoreError) in
                    try? FileManager.default.removeItem(at: inner)
                    try FileAccess.makeFile(folder.path("elsewhere"))
                }
            }

            #expect(refused?.code == .cannotOpen)
            #expect(refused?.message.contains(inner.path) == true, "\(refused as Any)")
            #expect(refused?.path == path)
        }
    }
#endif
