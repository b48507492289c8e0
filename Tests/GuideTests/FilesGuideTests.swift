import Foundation
import Larder
import LarderMemory
import LarderSQLite
import Testing

/// The code of `Documentation/Apple.md` and `Documentation/Diagnostics.md`.
///
/// The first is compiled and not run: it would write to folders of the user. Its last pieces need Apple's Foundation.
struct FilesGuideTests {
    private func openStore() throws -> SQLiteDataStore {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        let file = support.appendingPathComponent("Recipes/recipes.sqlite")
        let store = SQLiteDataStore(at: file, storing: [Recipe.self])
        try store.setup()
        return store
    }

    private func openShipped(at file: URL) -> SQLiteDataStore {
        let shipped = Bundle.main.url(forResource: "recipes", withExtension: "sqlite")
        let options = SQLiteOptions(prepopulatedFrom: shipped)
        let store = SQLiteDataStore(at: file, storing: [Recipe.self], options: options)
        return store
    }

    #if canImport(Darwin)
        private func protectFolder(in support: URL) throws {
            var folder = support.appendingPathComponent("Recipes")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: folder.path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        }

        private func sharedFolder() -> URL? {
            let group = FileManager.default.containerURL(
                forSecurityApplicationGroupIdentifier: "group.example.recipes")
            return group
        }
    #endif

    @Test func `every error in one place`() throws {
        let store = try Pantry.makeStore()

        store.errorHandler = { error in print("The store failed: \(error)") }

        #expect(store.errorHandler != nil)
    }

    @Test func `what a store does`() throws {
        var options = DataStoreOptions()
        options.name = "recipes"
        options.diagnostics.append { diagnostic in
            switch diagnostic.event {
            case .failed(let failure): print("\(failure.call): \(failure.error)")
            case .slowRequest(let plan, let rows, let duration): print("\(plan): \(rows) rows in \(duration)")
            default: break
            }
        }

        let store = MemoryDataStore(storing: [Recipe.self], storeOptions: options)
        try store.setup()
        #expect("\(store)" == "MemoryDataStore \"recipes\" (memory)")
    }
}
