import Foundation
import Larder
import LarderFiles

/// The folder of a case about files, with the stores in it.
struct FileScene {
    private let files: any ConformanceFileMedium

    /// nil for a subject that keeps no files.
    init?(_ world: ConformanceWorld) {
        guard let files = world.files else { return nil }
        self.files = files
    }

    var folder: URL { files.folder }

    /// The place of the store, unless a case names another.
    var url: URL { file("store") }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name, isDirectory: false) }

    /// Makes a store, not set up yet.
    func store(
        at url: URL? = nil, _ types: [any DataStoreItem.Type] = [Restaurant.self],
        changing change: (inout FileStoreOptions) -> Void = { _ in }
    ) throws -> any DataStore {
        try files.makeStore(
            at: url ?? self.url, storing: types, options: ConformanceWorld.options, changing: change)
    }

    /// Makes a store with the tools of one in a file; nil if the subject has none.
    func tools(_ types: [any DataStoreItem.Type] = [Restaurant.self]) throws -> (any FileDataStore)? {
        try store(types) as? any FileDataStore
    }

    /// Makes a store with restaurants of these numbers, and closes it; nothing but its file is left.
    func makeFile(_ numbers: ClosedRange<Int64> = 1...2) throws {
        let store = try store()
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: numbers.map { Restaurant($0) }) }
        try store.tearDown()
        for name in try names() where name != "store" { try FileManager.default.removeItem(at: file(name)) }
    }

    /// The names of everything in the folder, in order.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Every file in the folder with its bytes.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names() { contents[name] = try Data(contentsOf: file(name)) }
        return contents
    }

    /// Fails unless the setup of a store throws the code and changes no file; returns the error.
    @discardableResult
    func expectRefusal(
        _ code: DataStoreError.Code, of store: any DataStore, file: StaticString = #fileID, line: Int = #line
    ) throws -> DataStoreError {
        let before = try contents()
        let refused = try expectError(code, file: file, line: line) { try store.setup() }
        try expect(try contents() == before, "no file has changed", file: file, line: line)
        return refused
    }
}
