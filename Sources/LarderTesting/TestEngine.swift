public import LarderKernel
public import struct Foundation.URL
import LarderMemory

/// An engine for temporary stores: its name, and the address of a store in a folder.
///
///     import LarderSQLite
///
///     extension TestEngine {
///         static let sqlite = TestEngine("SQLite") {
///             .sqlite(at: $0, options: SQLiteOptions(durability: .none))
///         }
///     }
///
/// The app's test target declares the engines that the app uses, once, so that it links no other.
/// ``memory`` is always there. *Rule:* a value, which may be an argument of a test.
public struct TestEngine: Sendable {
    /// The name of the engine, as tests print it.
    public let name: String
    private let address: @Sendable (URL) -> StoreAddress
    private var limits: StrictLimits?

    /// An engine whose stores are at the addresses that a function returns.
    ///
    /// - Parameters:
    ///   - name: The name that tests print.
    ///   - address: Returns the address of a store whose file may be at a place. The folder exists, the file
    ///     does not.
    public init(_ name: String, address: @escaping @Sendable (URL) -> StoreAddress) {
        self.name = name
        self.address = address
    }

    /// Memory, with no limits except the ones of every engine.
    public static let memory = TestEngine("memory") { _ in .memory(MemoryStorage()) }

    /// Memory that also has the limits of another engine.
    ///
    ///     try withTemporaryStore(.memory(strictLimits: .sqlite), storing: [Recipe.self]) { store in … }
    public static func memory(strictLimits limits: StrictLimits) -> TestEngine {
        var engine = TestEngine("memory with the limits of \(limits.name)", address: memory.address)
        engine.limits = limits
        return engine
    }

    /// An adapter for a new store, not yet open.
    func makeAdapter(at url: URL) -> any StorageAdapter {
        let adapter = address(url).adapter(for: .writing)
        return if let limits { LimitedAdapter(adapter, limits) } else { adapter }
    }
}

extension TestEngine: CustomStringConvertible {
    public var description: String { name }
}
