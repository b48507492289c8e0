import Foundation
import Larder
import LarderFiles

/// Damaged files, which are refused and not changed.
enum FileDamageCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A refused file is named as the app has named it", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            for text in ["", "This is a letter to my grandmother, whom I have not seen for long."] {
                try Data(text.utf8).write(to: scene.url)

                let refused = try scene.expectRefusal(.notADatabase, of: try scene.store())

                try expect(refused.path, equals: scene.url.path)
            }
        }
        ConformanceCase("A store that has lost its end is refused as damaged", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile(1...2000)
            let whole = try Data(contentsOf: scene.url)
            for length in [100, whole.count / 2, whole.count - 1] {
                try whole.prefix(length).write(to: scene.url)
                for isReadOnly in [false, true] {
                    let store = try scene.store { $0.isReadOnly = isReadOnly }
                    try scene.expectRefusal(.damaged, of: store)
                }
            }
        }
        ConformanceCase("A damaged page is found before use when the structure is verified", proves: 12) {
            world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile(1...2000)
            var bytes = try Data(contentsOf: scene.url)
            let middle = bytes.count / 2 / 8192 * 8192
            for page in stride(from: middle, to: middle + 32768, by: 4096) {
                for offset in page..<(page + 200) { bytes[offset] = 0xA5 }
            }
            try bytes.write(to: scene.url)

            for isReadOnly in [false, true] {
                let store = try scene.store { ($0.isReadOnly, $0.verification) = (isReadOnly, .structure) }
                try scene.expectRefusal(.damaged, of: store)
            }
        }
        ConformanceCase("A sound store passes when the structure is verified", proves: 12) { world in
            guard let scene = FileScene(world) else { return }
            try scene.makeFile(1...2000)
            for isReadOnly in [false, true] {
                let store = try scene.store { ($0.isReadOnly, $0.verification) = (isReadOnly, .structure) }
                try store.setup()
                try expect(try store.count(Restaurant.all), equals: 2000)
                try store.tearDown()
            }
        }
    }
}
