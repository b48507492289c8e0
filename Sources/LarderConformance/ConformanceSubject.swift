public import Larder
public import LarderFiles
public import struct Foundation.URL

/// An engine under test, with a way to make stores over it.
///
///     ConformanceSubject("SQLite") { TemporarySQLiteFolder() }
public struct ConformanceSubject: Sendable {
    /// The name in failures.
    public let name: String
    let makeMedium: @Sendable () throws -> any ConformanceMedium

    /// - Parameter makeMedium: Makes a fresh place for data that is independent of all others.
    public init(_ name: String, makeMedium: @escaping @Sendable () throws -> any ConformanceMedium) {
        self.name = name
        self.makeMedium = makeMedium
    }
}

extension ConformanceSubject: CustomStringConvertible {
    public var description: String { name }
}

/// A place where data lives, such as a folder or a piece of memory, which outlives the stores over it.
public protocol ConformanceMedium: Sendable {
    /// Makes a store over this place, not set up yet.
    ///
    /// A later store over the same place finds the data of the earlier ones, once they are torn down.
    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore

    /// Removes the place; every store over it has been torn down.
    func cleanUp() throws
}

/// A medium in files; the cases about files and their places run on it too.
public protocol ConformanceFileMedium: ConformanceMedium {
    /// A folder of the medium's own, in which cases create and find files.
    var folder: URL { get }

    /// Makes a store at a URL, not set up yet.
    ///
    /// A store that is a `FileDataStore` also runs the cases about tools.
    ///
    /// - Parameter change: Changes the options for files from the medium's own; the engine's options follow them.
    func makeStore(
        at url: URL, storing types: [any DataStoreItem.Type], options: DataStoreOptions,
        changing change: (inout FileStoreOptions) -> Void
    ) throws -> any DataStore
}

extension ConformanceFileMedium {
    /// Makes a store at a URL, not set up yet.
    func makeStore(
        at url: URL, isReadOnly: Bool, storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        try makeStore(at: url, storing: types, options: options) { $0.isReadOnly = isReadOnly }
    }
}
