public import Foundation
public import Larder
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
/// A key that is missing leaves the attribute as it is; null sets it to nil, or empties the relationship.
public struct ImportRecord: Sendable {
    private let content: Content

    private enum Content: Sendable {
        case json([(key: String, value: JSONValue)])
        case values([String: ImportValue])
        /// The fields of a line; nil for one that is empty.
        case line(CSVHeader, [String?])
        /// Of a text that could not be read.
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
        guard case .object(let members) = try JSONValue(line: Array(json)[...], number: 1) else {
            throw DataStoreError(
                .invalidText, "The JSON is not an object.", advice: "Use JSONRecords for a list.")
        }
        content = .json(members)
    }

    init(_ members: [(key: String, value: JSONValue)]) {
        content = .json(members)
    }

    init(_ header: CSVHeader, _ fields: [String?]) {
        content = .line(header, fields)
    }

    /// A record whose text could not be read: whatever is asked of it throws.
    init(failed error: DataStoreError) {
        content = .failed(error)
    }

    /// The value of a key, or through nested objects of a path of keys: `"stats.stars"`; nil where it is missing.
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
        case .json(let members):
            members.first { UTF8Text.areEqual($0.key, name) }.map { ImportValue($0.value) }
        case .values(let values): values[name]
        case .line(let header, let fields):
            header.position(of: name).map { position in fields[position].map { .text($0) } ?? .null }
        case .failed(let error): throw error
        }
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
