import Foundation
import Larder
import LarderKeyValue

@testable import LarderLMDB
@testable import LarderMemory
@testable import LarderSQLite

extension Place {
    /// Replaces the bytes of the schema the store keeps, as damage or another tool might, with all else as it
    /// was.
    func replaceStoredSchema(by bytes: Data) throws {
        switch address.adapter(for: .writing) {
        case let adapter as SQLiteAdapter:
            let connection = try SQLiteConnection(
                path: adapter.location, access: .readWrite, busyTimeout: .zero)
            defer { connection.close() }
            let digits = bytes.map { String(format: "%02x", $0) }.joined()
            try connection.execute(
                "UPDATE larder_meta SET value = CAST(x'\(digits)' AS TEXT) WHERE key = 'schema'")
        case let adapter as KeyValueAdapter<LMDBEngine>: try Self.replace(bytes, in: adapter.engine)
        case let adapter as KeyValueAdapter<MemoryEngine>: try Self.replace(bytes, in: adapter.engine)
        default: throw CocoaError(.featureUnsupported)
        }
    }

    /// What the engine's own check says of the store as it describes itself.
    func ownProblems() throws -> [String] {
        try withAdapter { adapter, _ in
            switch adapter {
            case let adapter as SQLiteAdapter: try adapter.checkIntegrity()
            case let adapter as KeyValueAdapter<LMDBEngine>: try adapter.checkIntegrity()
            case let adapter as KeyValueAdapter<MemoryEngine>: try adapter.checkTables()
            default: throw CocoaError(.featureUnsupported)
            }
        }
    }

    private static func replace(_ bytes: Data, in engine: any OrderedKeyValueEngine) throws {
        try engine.open()
        do {
            let transaction = try engine.beginWriting()
            defer { transaction.end() }
            guard let meta = try transaction.table(named: "larder", .bytes) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            try bytes.withUnsafeBytes { (bytes) throws in
                try withKey("schema") { _ = try transaction.put(bytes, at: $0, in: meta, overwrites: true) }
            }
            // Whoever declares what the declaration says need not read the schema.
            try withKey("declaration") { _ = try transaction.delete($0, in: meta) }
            try transaction.commit()
        } catch {
            try? engine.close()
            throw error
        }
        try engine.close()
    }

    private static func withKey(_ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try Array(name.utf8).withUnsafeBytes(body)
    }
}
