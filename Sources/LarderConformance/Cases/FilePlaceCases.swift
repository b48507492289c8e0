import Foundation
import Larder
import LarderFiles

/// The place of a store's file: other names, what takes its place, and what is made beside it.
enum FilePlaceCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A write notices that the file is no longer in its place", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            for event in ["moved", "deleted", "replaced"] {
                let (url, elsewhere) = (scene.file(event), scene.file("elsewhere-\(event)"))
                let store = try scene.store(at: url)
                try store.setup()
                try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }
                try FileManager.default.moveItem(at: url, to: elsewhere)
                if event == "deleted" { try FileManager.default.removeItem(at: elsewhere) }
                if event == "replaced" { try Data("another file".utf8).write(to: url) }

                let refused = try expectError(.storeFileMoved, writingTo: store) {
                    try $0.insert(contentsOf: [Restaurant(2)])
                }

                try expect(refused.path?.hasSuffix(event) ?? false, "the path in \(refused)")
                if event == "moved" {
                    try FileManager.default.moveItem(at: elsewhere, to: url)
                    try store.writeSync { try $0.insert(contentsOf: [Restaurant(2)]) }
                    try expect(try store.count(Restaurant.all), equals: 2)
                }
                try store.tearDown()
            }
        }
        ConformanceCase("A file is refused under its name and every other name while it is open", proves: 12)
        {
            world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store()
            try store.setup()
            let names = ["symbolic", "hard"].map { scene.file($0) }
            try FileManager.default.createSymbolicLink(at: names[0], withDestinationURL: scene.url)
            try FileManager.default.linkItem(at: scene.url, to: names[1])
            let roundabout = scene.folder.appendingPathComponent(
                "../\(scene.folder.lastPathComponent)/store", isDirectory: false)

            for name in [scene.url, names[0], names[1], roundabout] {
                let other = try scene.store(at: name)
                let refused = try expectError(.alreadyOpen) { try other.setup() }
                try expect(refused.path, equals: name.absoluteURL.path)
                try expectError(.alreadyOpen) { try other.destroy() }
            }

            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }
            try store.tearDown()
            let other = try scene.store(at: names[0])
            try other.setup()
            try expect(try other.count(Restaurant.all), equals: 1)
            try other.tearDown()
        }
        ConformanceCase("The name that a killed upgrade has made goes with the first change", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile(1...1)
            for name in ["store.backup-1", "other"] {
                try FileManager.default.linkItem(at: scene.url, to: scene.file(name))
            }

            let store = try scene.store()
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(2)]) }
            try store.tearDown()

            let names = try scene.names()
            try expect(!names.contains("store.backup-1"), "no second name in \(names)")
            try expect(names.contains("other"), "the app's name in \(names)")
        }
        ConformanceCase("Destroying removes the file with everything beside it", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store()
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }

            try store.destroy()
            try expect(try scene.names(), equals: [])
            try store.destroy()
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 0)
            try store.tearDown()
        }
        ConformanceCase("Destroying removes what killed processes have left of the store", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()
            let names = [1, 2].map { ".store.larder-new-000000000000000\($0)" }
            // The first name of the store, and a copy that a killed compacting has made.
            try FileManager.default.linkItem(at: scene.url, to: scene.file(names[0]))
            try FileManager.default.copyItem(at: scene.url, to: scene.file(names[1]))
            // The second names for a backup and for setting the store aside, with the only log.
            try FileManager.default.linkItem(at: scene.url, to: scene.file("store.backup-1"))
            let aside = scene.file("store.set-aside-1")
            try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
            try FileManager.default.linkItem(at: scene.url, to: aside.appendingPathComponent("store"))
            try Data("log".utf8).write(to: aside.appendingPathComponent("store-wal"))

            try scene.store().destroy()

            try expect(try scene.names(), equals: [])
        }
        ConformanceCase("A store that must exist is not made, and neither is its folder", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            let nested = scene.folder.appendingPathComponent("Data/store", isDirectory: false)
            for url in [scene.url, nested] {
                let store = try scene.store(at: url) { $0.createsStore = false }
                let refused = try expectError(.cannotOpen) { try store.setup() }
                try expect(refused.message, equals: "No store exists at this path.")
            }
            try expect(try scene.names(), equals: [])

            try scene.makeFile()
            let store = try scene.store { $0.createsStore = false }
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 2)
            try store.tearDown()
        }
        ConformanceCase("Only the owner can read the file and the ones beside it", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store()
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }

            for name in try scene.names() {
                let attributes = try FileManager.default.attributesOfItem(atPath: scene.file(name).path)
                try expect((attributes[.posixPermissions] as? NSNumber)?.intValue, equals: 0o600, name)
            }
            try store.tearDown()
        }
        ConformanceCase(
            "The unfinished file of a killed creation is removed, and the one of a living creation is not",
            proves: 12
        ) { world in
            guard let scene = FileScene(world) else { return }
            let names = [1, 2].map { ".store.larder-new-000000000000000\($0)" }
            for name in names { try Data("unfinished".utf8).write(to: scene.file(name)) }
            let living = try require(try LockedFile(at: scene.file(names[1]).path))
            defer { living.close() }
            _ = living.lock(.signOfLife)

            let store = try scene.store()
            try store.setup()
            try store.tearDown()

            try expect(try scene.names().filter { $0.hasPrefix(".") }, equals: [names[1]])
        }
        ConformanceCase("A link stays, and a new store is made where it leads", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let link = scene.file("link")
            try FileManager.default.createDirectory(
                at: scene.file("data"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: "data/store")
            let store = try scene.store(at: link)

            for _ in 1...2 {
                try store.setup()
                try expect(try store.count(Restaurant.all), equals: 0)
                try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }
                try store.destroy()

                try expect(try scene.names(), equals: ["data", "link"])
                let rest = try FileManager.default.contentsOfDirectory(atPath: scene.file("data").path)
                try expect(rest, equals: [])
            }
        }
        ConformanceCase("A link to a missing folder is refused, and so is a circle", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            for target in ["missing/store", "link"] {
                let link = scene.file("link")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scene.file(target))
                let store = try scene.store(at: link)

                try expectError(.cannotOpen) { try store.setup() }

                try expect(try scene.names(), equals: ["link"])
                try FileManager.default.removeItem(at: link)
            }
        }
        ConformanceCase("A folder in the place of the file is refused", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try FileManager.default.createDirectory(at: scene.url, withIntermediateDirectories: false)
            let store = try scene.store()

            let refused = try expectError(.cannotOpen) { try store.setup() }

            try expect(refused.message, equals: "The path leads to a folder.")
            try expect(refused.path, equals: scene.url.path)
            try expect(try scene.names(), equals: ["store"])
        }
        ConformanceCase("A copy of the file of a closed store is a whole store", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()
            let copy = scene.file("copy")
            try FileManager.default.copyItem(at: scene.url, to: copy)

            let store = try scene.store(at: copy)
            try store.setup()
            try expect(try store.count(Restaurant.all), equals: 2)
            try store.tearDown()
        }
        ConformanceCase("Several stores are open side by side", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let stores = try (0..<20).map { try scene.store(at: scene.file("\($0)")) }
            for store in stores { try store.setup() }

            for (number, store) in stores.enumerated() {
                try store.writeSync { try $0.insert(contentsOf: [Restaurant(Int64(number))]) }
            }

            for (number, store) in stores.enumerated() {
                let ids = try store.read { try $0.ids(for: Restaurant.all).map(\.rawValue) }
                try expect(ids, equals: [Int64(number)])
                try store.tearDown()
            }
        }
    }
}
