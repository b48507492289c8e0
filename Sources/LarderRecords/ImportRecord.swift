import LarderText
public import Foundation
import LarderImport
public import LarderKernel
import LarderEngine

/// A source of an import with named values: a JSON object, a line of CSV, a dictionary.
///
///     static let recipes = ImportMap<Recipe, ImportRecord>(by: \.slug, key: "slug") {
///         Import(\.name, key: "title", "name")                        // the first key that is there
///         Import(\.rating, key: "stats.stars")                        // in a nested object
///         Import(\.cookedAt, key: "cooked", format: .epochSeconds)
///         Import(\.kind, key: "category", using: kinds)               // a nested object, or its key
///     }
///     let records = JSONRecords { try file.read(upToCount: 65_536) }
///     try store.writeSync { try $0.importItems(from: records, using: recipes) }
///
/// A key that is missing leaves the attribute unchanged; null sets it to nil, or empties the relationship.
public struct ImportRecord: Sendable {
    private let content: Content
    /// True for the first object of a text that is not in a list: it may be one around the list.
    private(set) var mayBeWrapper = false
    /// The positions of the members of a large JSON object; empty if they are searched for.
    private var positions: [UTF8Key: Int] = [:]

    private enum Content: Sendable {
        case json([(key: String, value: JSONValue)])
        case values([String: ImportValue])
        /// The fields of a line; nil for one that is empty.
        case line(CSVHeader, [String?])
        /// The error of a text that could not be read.
        case failed(DataStoreError)
    }

    /// A record with these values.
    public init(_ values: [String: ImportValue]) {
        content = .values(values)
    }

    /// A record with the values of a dictionary of Foundation's.
    ///
    /// - Throws: `.wrongType` for a value that is neither text, number, Boolean, date, data, list nor
    ///   dictionary.
    public init(dictionary: [String: Any]) throws(DataStoreError) {
        var values: [String: ImportValue] = [:]
        for (key, value) in dictionary {
            do {
                values[key] = try ImportValue(value)
            } catch {
                throw error.about(attribute: key)
            }
        }
        content = .values(values)
    }

    /// The record of a JSON object.
    ///
    /// - Throws: `.invalidText`.
    public init(json: Data) throws(DataStoreError) {
        let text = ByteOrderMark.dropped(from: Array(json)[...])
        guard case .object(let members) = try JSONValue(line: text, number: 1) else {
            throw DataStoreError(
                .invalidText, "The JSON is not an object.", advice: "Use JSONRecords for a list.")
        }
        self = ImportRecord(members).withPositions
    }

    init(_ members: [(key: String, value: JSONValue)]) {
        content = .json(members)
    }

    /// The first object of a text, which is not in a list.
    init(first members: [(key: String, value: JSONValue)]) {
        content = .json(members)
        mayBeWrapper = true
    }

    init(_ header: CSVHeader, _ fields: [String?]) {
        content = .line(header, fields)
    }

    /// A record whose text could not be read: every read of a value throws.
    init(failed error: DataStoreError) {
        content = .failed(error)
    }

    /// The value of a key, or through nested objects of a path of keys: `"stats.stars"`; nil if it is missing.
    public subscript(path: String) -> ImportValue? {
        get throws(DataStoreError) { try value(at: ImportKey(path)) }
    }

    func value(at key: ImportKey) throws(DataStoreError) -> ImportValue? {
        // A key with a dot, as the columns of CSV have, comes before a path.
        if let value = try value(named: key.path) { return value }
        guard let (first, rest) = key.steps, case .record(let nested) = try value(named: first) else {
            return nil
        }
        return try nested.value(at: ImportKey(rest))
    }

    private func value(named name: String) throws(DataStoreError) -> ImportValue? {
        switch content {
        case .json(let members): position(of: name, in: members).map { ImportValue(members[$0].value) }
        case .values(let values): values[name]
        case .line(let header, let fields):
            try header.position(of: name).map { position in fields[position].map { .text($0) } ?? .null }
        case .failed(let error): throw error
        }
    }

    private func position(of name: String, in members: [(key: String, value: JSONValue)]) -> Int? {
        positions.isEmpty ? members.firstIndex { UTF8Text.areEqual($0.key, name) } : positions[UTF8Key(name)]
    }

    /// The record as a map takes it, which looks for many members.
    ///
    /// An object that a path leads through has no positions: each path would find them all again.
    var withPositions: ImportRecord {
        guard case .json(let members) = content, members.count > 16 else { return self }
        var record = self
        record.positions = Dictionary(members.enumerated().map { (UTF8Key($1.key), $0) }) { one, _ in one }
        return record
    }

    /// Refuses an object that has none of some keys, but a list of objects that have one: most likely the
    /// list should be imported.
    ///
    /// - Throws: `.invalidText`.
    func requireNoWrappedList(of keys: [ImportKey]) throws(DataStoreError) {
        guard mayBeWrapper, let key = keys.first else { return }
        for (name, value) in members {
            guard case .list(let elements) = value, case .record(let first)? = elements.first else {
                continue
            }
            var isFound = false
            for key in keys where try first.value(at: key) != nil { isFound = true }
            guard isFound else { continue }
            throw DataStoreError(
                .invalidText,
                "The source is one object without \"\(key.path)\", and the objects of its list \"\(name)\" have it.",
                advice:
                    "Import the records in the list: try ImportRecord(json: data).records(in: \"\(name)\").")
        }
    }

    /// The objects of the list under a key, or through nested objects under a path of keys; none if it is missing.
    ///
    ///     let recipes = try ImportRecord(json: data).records(in: "recipes")
    ///
    /// - Throws: `.wrongType` for a value that is not a list of objects.
    public func records(in path: String) throws(DataStoreError) -> [ImportRecord] {
        guard let value = try self[path] else { return [] }
        var records: [ImportRecord] = []
        guard case .list(let elements) = value else { throw notRecords(value, path) }
        for element in elements {
            guard case .record(let record) = element else { throw notRecords(element, path) }
            records.append(record.withPositions)
        }
        return records
    }

    private func notRecords(_ value: ImportValue, _ path: String) -> DataStoreError {
        DataStoreError(
            .wrongType, "The value \(value.shown) of \"\(path)\" is not a list of objects.",
            advice: "Name the key of a list of objects.")
    }

    /// True if an empty value may stand for empty text, as it does in CSV.
    var isLine: Bool {
        if case .line = content { true } else { false }
    }

    /// All values; none of a text that could not be read.
    var members: [(key: String, value: ImportValue)] {
        switch content {
        case .json(let members): members.map { ($0.key, ImportValue($0.value)) }
        case .values(let values): values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        case .line(let header, let fields):
            zip(header.names, fields).map { ($0, $1.map { .text($0) } ?? .null) }
        case .failed: []
        }
    }
}

extension ImportRecord: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, ImportValue)...) {
        self.init(Dictionary(members) { $1 })
    }
}

/// A key of a record, or a path of keys through nested objects.
struct ImportKey: Sendable {
    let path: String
    /// The first key, and the rest of the path; nil for a single key.
    let steps: (first: String, rest: String)?

    init(_ path: String) {
        self.path = path
        steps = path.firstIndex(of: ".").map { dot in
            (String(path[..<dot]), String(path[path.index(after: dot)...]))
        }
    }
}
