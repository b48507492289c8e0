/// A value that JSON holds: how it is written, and how it is read again.
package protocol JSONCodable {
    func write(to writer: inout JSONWriter)
    init(from reader: inout JSONReader) throws(JSONReader.Failure)
}

/// A struct that JSON holds as an object, and that lists its stored properties in one place.
///
///     mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure) {
///         try fields.field("attributes", &attributes)
///         try fields.field("isUnique", &isUnique)
///     }
///
/// The writer goes through the list once. The reader goes through it for every member of the object, so
/// members may come in any order, and once at the end, to find what is missing. Members that are not listed
/// are skipped.
package protocol JSONObject: JSONCodable {
    /// A value to read into.
    static var blank: Self { get }

    /// Gives each stored property to `fields`, under its key, in the order in which they are written.
    mutating func list<Fields: JSONFields>(_ fields: inout Fields) throws(Fields.Failure)
}

/// The receiver of a ``JSONObject``'s list of properties: a writer or a reader.
package protocol JSONFields {
    associatedtype Failure: Error

    /// A property that always has a value.
    mutating func field<Value: JSONCodable>(_ key: StaticString, _ value: inout Value) throws(Failure)

    /// A property that is left out if it is nil.
    mutating func field<Value: JSONCodable>(_ key: StaticString, _ value: inout Value?) throws(Failure)

    /// A property that means something inside one store only, and is left out of portable JSON.
    mutating func storeField<Value: JSONCodable>(_ key: StaticString, _ value: inout Value) throws(Failure)
}

extension JSONObject {
    package func write(to writer: inout JSONWriter) {
        var copy = self
        writer.append("{")
        copy.list(&writer)
        writer.append("}")
    }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = .blank
        var members = JSONMembers(of: reader)
        while try members.next() {
            try list(&members)
            try members.skipUnknown()
        }
        try list(&members)
        reader = members.reader
    }
}

extension JSONWriter: JSONFields {
    package typealias Failure = Never

    package mutating func field<Value: JSONCodable>(_ key: StaticString, _ value: inout Value) {
        append(literal: bytes.last == UInt8(ascii: "{") ? "\"" : ",\"")
        append(literal: key)
        append(literal: "\":")
        value.write(to: &self)
    }

    package mutating func field<Value: JSONCodable>(_ key: StaticString, _ value: inout Value?) {
        if var value { field(key, &value) }
    }

    package mutating func storeField<Value: JSONCodable>(_ key: StaticString, _ value: inout Value) {
        if !isPortable { field(key, &value) }
    }
}

/// The members of one object, each given to the property that is listed under its key.
private struct JSONMembers: JSONFields {
    typealias Failure = JSONReader.Failure

    private(set) var reader: JSONReader
    /// The key of the member to read; nil once it has been read, and after the last one.
    private var key: JSONKey?
    private var isFirst = true
    private var isAtEnd = false
    /// One bit for each property that has been read, in the order of the list.
    private var found: UInt64 = 0
    private var bit: UInt64 = 1

    init(of reader: JSONReader) {
        self.reader = reader
    }

    /// Moves to the next member; false after the last one.
    mutating func next() throws(JSONReader.Failure) -> Bool {
        bit = 1
        key = try reader.key(isFirst: isFirst)
        isFirst = false
        isAtEnd = key == nil
        return !isAtEnd
    }

    mutating func skipUnknown() throws(JSONReader.Failure) {
        if key != nil { try reader.skipValue() }
    }

    mutating func field<Value: JSONCodable>(
        _ key: StaticString, _ value: inout Value
    ) throws(JSONReader.Failure) {
        defer { bit <<= 1 }
        if takes(key) {
            value = try read(key)
        } else if isAtEnd, found & bit == 0 {
            throw JSONReader.Failure(message: "is missing").inside(key)
        }
    }

    mutating func field<Value: JSONCodable>(
        _ key: StaticString, _ value: inout Value?
    ) throws(JSONReader.Failure) {
        defer { bit <<= 1 }
        if takes(key), !reader.skipNull() { value = try read(key) }
    }

    mutating func storeField<Value: JSONCodable>(
        _ key: StaticString, _ value: inout Value
    ) throws(JSONReader.Failure) {
        if !reader.isPortable { try field(key, &value) }
    }

    /// True if the member to read has this key.
    ///
    /// A second member with one key is skipped.
    private mutating func takes(_ expected: StaticString) -> Bool {
        guard let key, found & bit == 0, key.isEqual(to: expected) else { return false }
        found |= bit
        self.key = nil
        return true
    }

    private mutating func read<Value: JSONCodable>(
        _ key: StaticString
    ) throws(JSONReader.Failure) -> Value {
        do throws(JSONReader.Failure) {
            return try Value(from: &reader)
        } catch {
            throw error.inside(key)
        }
    }
}
