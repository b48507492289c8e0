public import Larder
public import struct Foundation.URL

/// An engine that is to keep the contract: how stores over it are made.
///
///     ConformanceSubject("SQLite") { TemporarySQLiteFolder() }
public struct ConformanceSubject: Sendable {
    /// The name in failures.
    public let name: String
    let makeMedium: @Sendable () throws -> any ConformanceMedium

    /// - Parameter makeMedium: Makes a fresh place for data, which shares nothing with any other.
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
    /// A store made later over the same place finds what those before it have left, once they are torn down.
    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore

    /// Removes the place; every store over it has been torn down.
    func cleanUp() throws
}

/// A medium in files: the cases about files and their places run on it too.
public protocol ConformanceFileMedium: ConformanceMedium {
    /// A folder of the medium's own, in which cases make and look for files.
    var folder: URL { get }

    /// Makes a store at a URL, not set up yet.
    ///
    /// - Parameter isReadOnly: Whether the engine's options say that the store is only read.
    func makeStore(
        at url: URL, isReadOnly: Bool, storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore
}
