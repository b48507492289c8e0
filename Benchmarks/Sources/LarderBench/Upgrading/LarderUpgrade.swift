import Foundation
import Larder
import LarderLMDB
import LarderSQLite

/// Larder's own upgrade of a file.
struct LarderUpgrade: UpgradeContender {
    let original: URL
    let engine: UpgradeEngine
    let place: UpgradePlace

    /// Makes the file of the first version.
    func fill(from recipes: RecipesBeforeUpgrade) throws {
        let store = makeStore(at: original, SchemaHistory([UpgradeWork.firstVersion]))
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: RecipesBeforeUpgrade.kinds) }
        try recipes.forEachPiece { piece in try store.writeSync { try $0.insert(contentsOf: piece) } }
        try store.tearDown()
    }

    func upgrade(_ file: URL, by work: UpgradeWork) throws {
        let store = makeStore(at: file, work.history)
        try store.setup()
        try store.tearDown()
    }

    func answer(in file: URL, after work: UpgradeWork) throws -> UpgradeAnswer {
        let store = makeStore(at: file, work.history)
        try store.setup()
        let answer = try work.answer(in: store)
        try store.tearDown()
        return answer
    }

    private func makeStore(at file: URL, _ history: SchemaHistory) -> any DataStore {
        var options = DataStoreOptions()
        options.schemaUpgrade = place == .copying ? .copying() : .inPlace
        // What the raw engines are set to.
        return switch engine {
        case .sqlite:
            SQLiteDataStore(
                at: file, storing: history, options: SQLiteOptions(durability: .normal), storeOptions: options
            )
        case .lmdb:
            LMDBDataStore(
                at: file, storing: history, options: LMDBOptions(durability: .none), storeOptions: options)
        }
    }
}
