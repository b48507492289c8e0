import Foundation
import Larder
import LarderFiles

/// Stores in files that are read only.
enum FileReadingCases {
    /// The ways to read only: beside other processes, and with the app's promise that there are none.
    private static let ways = [false, true]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Reading changes neither file nor folder", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()
            let before = try scene.contents()

            for assumesNoWriter in ways {
                let store = try reader(in: scene, assumesNoWriter)
                try store.setup()
                let ids = try store.read { try $0.ids(for: Restaurant.all).map(\.rawValue) }
                try expect(ids, equals: [1, 2])
                try store.tearDown()
                try expect(try scene.contents() == before, "no file has changed")
            }
        }
        ConformanceCase("If the app promises that no process writes, reading creates nothing", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()

            let store = try reader(in: scene, true)
            try store.setup()

            try expect(try store.count(Restaurant.all), equals: 2)
            try expect(try scene.names(), equals: ["store"])
            try store.tearDown()
        }
        ConformanceCase("A read-only store refuses to write", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()
            for assumesNoWriter in ways {
                let store = try reader(in: scene, assumesNoWriter)
                try store.setup()
                try expectError(.readOnly, writingTo: store) {
                    try $0.insert(contentsOf: [Restaurant(3)])
                }
                try store.tearDown()
            }
        }
        ConformanceCase("A read-only store that is not there is refused and not made", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            for assumesNoWriter in ways {
                try scene.expectRefusal(.cannotOpen, of: try reader(in: scene, assumesNoWriter))
            }
            try expect(try scene.names(), equals: [])
        }
        ConformanceCase("A read-only store that would have to be changed is refused", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile()
            let store = try scene.store([Restaurant.self, Dish.self]) { $0.isReadOnly = true }

            try scene.expectRefusal(.schemaMismatch, of: store)
        }
        ConformanceCase("The promise that no process writes is for read-only stores", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store { $0.assumesNoWriter = true }

            try scene.expectRefusal(.unsupported, of: store)
        }
    }

    private static func reader(in scene: FileScene, _ assumesNoWriter: Bool) throws -> any DataStore {
        try scene.store { ($0.isReadOnly, $0.assumesNoWriter) = (true, assumesNoWriter) }
    }
}
