import LarderKeyValue

@testable import LarderMemory

/// An ordered map and a dictionary that must always hold the same.
struct MapModel {
    var map: OrderedMap
    var expected: [[UInt8]: [UInt8]] = [:]

    init(keys: KeyKind) {
        map = OrderedMap(keys: keys)
    }

    mutating func put(_ value: [UInt8], at key: [UInt8], overwrites: Bool = true) -> Bool {
        let isKept = key.withUnsafeBytes { key in
            value.withUnsafeBytes { map.put($0, at: key, overwrites: overwrites) }
        }
        if overwrites || expected[key] == nil { expected[key] = value }
        return isKept
    }

    mutating func remove(_ key: [UInt8]) -> Bool {
        expected[key] = nil
        return key.withUnsafeBytes { map.remove($0) }
    }

    func value(at key: [UInt8]) -> [UInt8]? {
        key.withUnsafeBytes { map.value(at: $0).map { Array($0) } }
    }

    /// The entries expected, in the order of the map.
    var sorted: [Entry] {
        expected.map { Entry(key: $0, value: $1) }.sorted { $0.isBefore($1, map.keys) }
    }

    /// The entries of the map from first to last.
    func entries() throws -> [Entry] {
        let cursor = MemoryCursor(over: map)
        var entry = KeyValueEntry()
        var entries: [Entry] = []
        var isFound = try cursor.first(&entry)
        while isFound {
            entries.append(Entry(entry))
            isFound = try cursor.next(&entry)
        }
        return entries
    }

    /// The entries of the map from last to first.
    func entriesBackwards() throws -> [Entry] {
        let cursor = MemoryCursor(over: map)
        var entry = KeyValueEntry()
        var entries: [Entry] = []
        var isFound = try cursor.last(&entry)
        while isFound {
            entries.append(Entry(entry))
            isFound = try cursor.previous(&entry)
        }
        return entries
    }

    /// The first entry whose key is not before this one.
    func entry(notBefore key: [UInt8]) throws -> Entry? {
        let cursor = MemoryCursor(over: map)
        var entry = KeyValueEntry()
        let isFound = try key.withUnsafeBytes { try cursor.seek($0, &entry) }
        return isFound ? Entry(entry) : nil
    }
}

struct Entry: Equatable {
    let key: [UInt8]
    let value: [UInt8]

    init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }

    init(_ entry: KeyValueEntry) {
        key = Array(entry.key)
        value = Array(entry.value)
    }

    func isBefore(_ other: Entry, _ kind: KeyKind) -> Bool {
        switch kind {
        case .integer: number < other.number
        case .bytes: key.lexicographicallyPrecedes(other.key)
        }
    }

    private var number: UInt64 { key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
}

/// The native bytes of a number, as integer tables have them for keys.
func integerKey(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
}
