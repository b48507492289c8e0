import Foundation
import Larder
import LarderMemory
import LarderSQLite
import Testing

/// The code of `Documentation/Apple.md` and `Documentation/Diagnostics.md`.
///
/// The first is compiled and not run: it would write to folders of the user.
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

    /// The page names the keys of the manifest, their functions and reasons.
    @Test func `the privacy manifest has what the page says`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/LarderFiles/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
        let manifest = try #require(list as? [String: Any])
        let types = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])

        #expect(
            types.map { $0["NSPrivacyAccessedAPIType"] as? String } == [
                "NSPrivacyAccessedAPICategoryFileTimestamp", "NSPrivacyAccessedAPICategoryDiskSpace",
            ])
        #expect(
            types.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == [["C617.1"], ["E174.1"]])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.count == 0)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [String])?.count == 0)
    }

    @Test func `every error in one place`() throws {
        let store = try Pantry.makeStore()
        let printed = Locked<[String]>([])
        let hasPrinted = DispatchSemaphore(value: 0)
        @Sendable func print(_ line: String) {
            printed.withLock { $0.append(line) }
            hasPrinted.signal()
        }

        store.errorHandler = { error in print("The store failed: \(error)") }

        store.writeAsync { _ in throw EditError.changedMeanwhile }
        #expect(hasPrinted.wait(timeout: .now() + 20) == .success)
        #expect(printed.withLock { $0 } == ["The store failed: changedMeanwhile"])
    }

    @Test func `what a store does`() throws {
        let printed = Locked<[String]>([])
        @Sendable func print(_ line: String) { printed.withLock { $0.append(line) } }

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
        #expect(throws: EditError.self) { try store.read { _ in throw EditError.changedMeanwhile } }
        #expect(printed.withLock { $0 } == ["read(): changedMeanwhile"])
    }
}

#if !canImport(Darwin)
    extension FileManager {
        /// Stands in for a method of Apple's Foundation, so that the page's code is compiled everywhere.
        fileprivate func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
    }
#endif
