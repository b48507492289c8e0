import Foundation
import Larder
import LarderFiles

/// Stores with limits: files that may not grow any further, and few readers.
enum FileLimitCases {
    private static func rows(_ ids: ClosedRange<Int64>) -> [Restaurant] {
        ids.map { Restaurant($0, note: String(repeating: "x", count: 2000)) }
    }

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("The option limits how many blocks read at once", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store { $0.maximumReaders = 2 }

            try expect(store.coordinator.adapter.maximumReaders, equals: 2)
        }
        ConformanceCase("A block that exceeds the size limit stores nothing", proves: 3, 12) {
            world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store { $0.sizeLimit = 512 << 10 }
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(1)]) }

            let full = try expectError(.storeFull, writingTo: store) { accessor in
                for number in Int64(2)... { try accessor.insert(contentsOf: rows(number...number)) }
            }

            try expect(full.path?.hasSuffix("store") ?? false, "the path in \(full)")
            try expect(try store.count(Restaurant.all), equals: 1)
            try store.writeSync { try $0.insert(contentsOf: [Restaurant(2)]) }
            try expect(try store.count(Restaurant.all), equals: 2)
            try store.tearDown()
            try expect(try Data(contentsOf: scene.url).count <= 512 << 10, "a file within the limit")
        }
        ConformanceCase("Deleting makes room within the size limit", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            let store = try scene.store { $0.sizeLimit = 1 << 20 }
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: rows(1...150)) }
            try expectError(.storeFull, writingTo: store) { try $0.insert(contentsOf: rows(200...800)) }

            try store.writeSync { _ = try $0.deleteAllItems(of: Restaurant.self) }

            try store.writeSync { try $0.insert(contentsOf: rows(200...349)) }
            try expect(try store.count(Restaurant.all), equals: 150)
            try store.tearDown()
        }
        ConformanceCase("A full store grows with a larger limit, and is read with a smaller one", proves: 12)
        { world in
            guard let scene = FileScene(world) else { return }
            let small = try scene.store { $0.sizeLimit = 512 << 10 }
            try small.setup()
            try expectError(.storeFull, writingTo: small) { try $0.insert(contentsOf: rows(1...500)) }
            try small.tearDown()

            let large = try scene.store { $0.sizeLimit = 4 << 20 }
            try large.setup()
            try large.writeSync { try $0.insert(contentsOf: rows(1...500)) }
            try large.tearDown()

            try small.setup()
            try expect(try small.count(Restaurant.all), equals: 500)
            try small.tearDown()
        }
    }
}
