import Foundation
import Larder
import LarderSQLite
import LarderTesting

extension TestEngine {
    static let sqlite = TestEngine("SQLite") {
        .sqlite(at: $0, options: SQLiteOptions(durability: .none))
    }
}

/// The one place in an app that names its engine.
enum AppStore {
    static func make(at url: URL) -> any DataStore { SQLiteDataStore(at: url, storing: Pantry.types) }
}
