public import LarderKernel
import LarderEngine
import Foundation

/// The note that ``StoreCutOver/finalize()`` leaves under the old name of a store, so that no app makes a new
/// store there.
///
/// ```text
/// Larder: this store was moved
/// { "destination": { "engine": "LMDB", "identity": "…", "location": "recipes.lmdb" }, … }
/// ```
///
/// Every engine refuses to open it with `.storeMoved`. It holds no items: deleting it loses nothing but the
/// protection. Locations in it are relative to its folder if they can be, so that it stays true when the
/// folder moves. *Rule:* a value.
public struct StoreTombstone: Hashable, Sendable {
    /// The store that was set aside.
    public let source: StoreReference
    /// The store to open instead.
    public let destination: StoreReference

    package init(source: StoreReference, destination: StoreReference) {
        self.source = source
        self.destination = destination
    }

    /// The tombstone at a path; nil if something else, or nothing, is there.
    ///
    /// - Throws: `.permissionDenied` or `.inputOutput` when the file cannot be read.
    public static func read(at path: String) throws(DataStoreError) -> StoreTombstone? {
        guard let status = try FileAccess.status(at: path), status.isRegularFile,
            status.byteCount <= byteLimit
        else { return nil }
        // If an engine has the file open in this process, it is a store. Reading it here would drop its locks.
        do throws(DataStoreError) {
            return try OpenFileRegistry.shared.whileNotOpen(status.identity, at: path) {
                () throws(DataStoreError) in
                try readClaimed(at: path)
            }
        } catch {
            if error.code == .alreadyOpen || error.code == .usedAfterFork { return nil }
            throw error
        }
    }

    /// Refuses to open a tombstone as a store.
    ///
    /// *Rule:* this process has claimed the file, and no engine has opened it yet.
    ///
    /// - Throws: `.storeMoved`.
    package static func requireNone(at path: String) throws(DataStoreError) {
        if let tombstone = try readClaimed(at: path) { throw tombstone.error(at: path) }
    }

    /// The error for the attempt to open the store under its old name.
    public func error(at path: String) -> DataStoreError {
        DataStoreError(.storeMoved, "The store was moved to \(destination).", path: path)
    }

    private static let firstLine = Array("Larder: this store was moved\n".utf8)
    /// Far more than two paths and two identities take.
    private static let byteLimit = 64 << 10

    private static func readClaimed(at path: String) throws(DataStoreError) -> StoreTombstone? {
        guard try FileAccess.firstBytes(firstLine.count, of: path).bytes == firstLine else { return nil }
        let bytes = try FileAccess.firstBytes(byteLimit, of: path).bytes
        let folder = FileAccess.parts(of: try FileAccess.resolved(path)).folder
        return StoreTombstone(bytes.dropFirst(firstLine.count), folder: folder)
    }
}

// MARK: Writing

extension StoreTombstone {
    /// The JSON after the first line.
    private struct Note: JSONObject {
        var destination: StoreReference
        var source: StoreReference

        static var blank: Note { Note(destination: .blank, source: .blank) }

        mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
            try fields.field("destination", &destination)
            try fields.field("source", &source)
        }
    }

    /// - Parameter folder: The folder of the file; relative locations start there.
    private init(_ json: ArraySlice<UInt8>, folder: String) {
        // The first line alone shows that this is not a store, so an edited note still refuses.
        let note = json.withUnsafeBytes { try? JSONReader.read(Note.self, in: $0) }
        let unknown = StoreReference(engine: "another place")
        source = note?.source.relocated { RelativePath.absolute($0, from: folder) } ?? unknown
        destination = note?.destination.relocated { RelativePath.absolute($0, from: folder) } ?? unknown
    }

    /// The content of the file.
    ///
    /// - Parameter folder: The folder of the file, without links.
    package func encoded(in folder: String) throws(DataStoreError) -> [UInt8] {
        let note = Note(
            destination: destination.relocated { RelativePath.relative($0, to: folder) },
            source: source.relocated { RelativePath.relative($0, to: folder) })
        var json = JSONWriter()
        note.write(to: &json)
        do {
            // People read it, so it is spread over lines.
            let object = try JSONSerialization.jsonObject(with: Data(json.bytes))
            let pretty = try JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
            return Self.firstLine + Array(pretty) + Array("\n".utf8)
        } catch {
            throw DataStoreError(.engine, "The note about the moved store cannot be encoded: \(error)")
        }
    }
}

extension StoreReference {
    fileprivate func relocated(_ change: (String) -> String) -> StoreReference {
        // A server has an address and no path.
        let location = location.map { $0.contains("://") ? $0 : change($0) }
        return StoreReference(engine: engine, identity: identity, location: location)
    }
}
