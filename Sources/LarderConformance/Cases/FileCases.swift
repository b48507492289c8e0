import Foundation
import Larder

/// Stores in files: allowed places, and files that stay unchanged; subjects without files pass.
enum FileCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A URL that is not a file URL is refused and nothing is created", proves: 12
        ) { world in
            guard let folder = world.files?.folder else { return }
            let texts = ["https://example.org", "ftp://example.org", "larder:", "file://example.org"]
            for text in texts.map({ $0 + folder.path + "/store" }) + ["store"] {
                guard let url = URL(string: text), let store = try makeStore(world, at: url) else { continue }

                let refused = try expectError(.cannotOpen) { try store.setup() }
                try expect(refused.description.contains(text), "an error that names \(text): \(refused)")
                try expectError(.cannotOpen) { try store.destroy() }
            }
            try expect(try names(in: folder), equals: [])
        }
        ConformanceCase("A file URL whose path is not UTF-8 is refused", proves: 12) { world in
            guard let folder = world.files?.folder else { return }
            let text = "file://\(folder.path)/%FF"
            guard let url = URL(string: text), let store = try makeStore(world, at: url) else { return }

            let refused = try expectError(.cannotOpen) { try store.setup() }

            try expect(refused.description.contains(text), "an error that names \(text): \(refused)")
            try expect(try names(in: folder), equals: [])
        }
        ConformanceCase("Names with spaces, accents and percent signs are kept", proves: 12) { world in
            guard let folder = world.files?.folder else { return }
            for name in ["with space", "caf\u{E9}", "cafe\u{301}", "50%", "%20", "a?b#c", "\u{1F370}"] {
                let url = folder.appendingPathComponent(name, isDirectory: false)
                guard let store = try makeStore(world, at: url) else { return }

                try store.setup()
                try store.tearDown()

                try expect(FileManager.default.fileExists(atPath: folder.path + "/" + name), "a file \(name)")
                try store.destroy()
                try expect(try names(in: folder), equals: [], name)
            }
        }
        ConformanceCase("All missing folders above a store are created", proves: 12) { world in
            guard let folder = world.files?.folder else { return }
            let url = folder.appendingPathComponent("one/two/three/store", isDirectory: false)
            guard let store = try makeStore(world, at: url) else { return }

            try store.setup()
            try store.tearDown()

            for path in ["one", "one/two", "one/two/three"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + path)
                try expect((attributes[.posixPermissions] as? NSNumber)?.intValue, equals: 0o700, path)
            }
        }
        ConformanceCase("A file of another kind is refused and not changed", proves: 12) { world in
            guard let folder = world.files?.folder else { return }
            for bytes in [Data(), Data("a letter".utf8), Data(repeating: 0, count: 9000)] {
                let url = folder.appendingPathComponent("other", isDirectory: false)
                try bytes.write(to: url)
                for isReadOnly in [false, true] {
                    guard let store = try makeStore(world, at: url, isReadOnly: isReadOnly) else { return }

                    try expectError(.notADatabase) { try store.setup() }

                    try expect(try Data(contentsOf: url), equals: bytes)
                    try expect(try names(in: folder), equals: ["other"])
                }
            }
        }
        ConformanceCase("A read-only store is not destroyed", proves: 12) { world in
            guard let folder = world.files?.folder else { return }
            let url = folder.appendingPathComponent("store", isDirectory: false)
            guard let store = try makeStore(world, at: url) else { return }
            try store.setup()
            try store.writeSync { _ = try $0.insert(Restaurant(1)) }
            try store.tearDown()
            let before = try names(in: folder)
            guard let reading = try makeStore(world, at: url, isReadOnly: true) else { return }

            try expectError(.readOnly) { try reading.destroy() }
            try reading.setup()
            try expectError(.readOnly) { try reading.destroy() }

            try expect(try reading.count(Restaurant.all), equals: 1)
            try reading.tearDown()
            try expect(try names(in: folder), equals: before)
        }
        ConformanceCase("A store that is refused does not change its folder", proves: 12) { world in
            guard let files = world.files else { return }
            let url = files.folder.appendingPathComponent("store", isDirectory: false)
            guard let store = try makeStore(world, at: url) else { return }
            try store.setup()
            try store.tearDown()
            for name in try names(in: files.folder) where name != "store" {
                try FileManager.default.removeItem(at: files.folder.appendingPathComponent(name))
            }
            let bytes = try Data(contentsOf: url)
            for isReadOnly in [false, true] {
                let other = try files.makeStore(
                    at: url, isReadOnly: isReadOnly, storing: [Versioned<OtherName>.self],
                    options: ConformanceWorld.options)

                try expectError(.schemaMismatch) { try other.setup() }

                try expect(try names(in: files.folder), equals: ["store"])
                try expect(try Data(contentsOf: url), equals: bytes)
            }
        }
        ConformanceCase("A store reports once that its file has moved", proves: 12, 21) { world in
            guard let folder = world.files?.folder else { return }
            let url = folder.appendingPathComponent("store", isDirectory: false)
            guard let store = try makeStore(world, at: url) else { return }
            var events = store.events.makeAsyncIterator()
            // The first line of the note that a cut-over leaves in the place of a store.
            try Data("Larder: this store was moved\n".utf8).write(to: url)
            for _ in 1...2 { try expectError(.storeMoved) { try store.setup() } }
            try FileManager.default.removeItem(at: url)

            let elsewhere = folder.appendingPathComponent("elsewhere", isDirectory: false)
            for round in 0..<2 as Range<Int64> {
                try store.setup()
                try FileManager.default.moveItem(at: url, to: elsewhere)
                try expectError(.storeFileMoved, writingTo: store) { _ = try $0.insert(Restaurant(round)) }
                let error: (any Error)?
                do {
                    try await store.writeAsync { _ = try $0.insert(Restaurant(round)) }
                    error = nil
                } catch let caught {
                    error = caught
                }
                try expect((error as? DataStoreError)?.code, equals: .storeFileMoved)
                try FileManager.default.moveItem(at: elsewhere, to: url)
                try await store.writeAsync { _ = try $0.insert(Restaurant(round)) }
                try store.tearDown()
            }
            try store.setup()
            try await expectIDs(0, 1, in: store)
            try store.destroy()

            let opened: [StoreEvent] = [.opened, .moved, .closed]
            for (number, expected) in ([.moved] + opened + opened + [.opened, .closed]).enumerated() {
                let event = await events.next()
                try expect(event, equals: expected, "event \(number)")
            }
        }
    }

    private static func makeStore(
        _ world: ConformanceWorld, at url: URL, isReadOnly: Bool = false
    ) throws -> (any DataStore)? {
        try world.files?.makeStore(
            at: url, isReadOnly: isReadOnly, storing: [Restaurant.self], options: ConformanceWorld.options)
    }

    private static func expectIDs(_ ids: Int64..., in store: any DataStore) async throws {
        let found = try await store.readAsync { try $0.ids(for: Restaurant.all).map(\.rawValue) }
        try expect(found, equals: ids)
    }

    /// A restaurant whose name is a number.
    private enum OtherName: ItemVersion {
        static let schema = EntitySchema(
            "Restaurant", attributes: [.attribute("id", Int64.self), .attribute("name", Int64.self)])
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}
