import LarderKernel

/// The form of one index's keys: the values of its columns, then the complete identifier.
///
/// Every key has at most 511 bytes. The texts share the space that the identifier and the values of fixed
/// width leave; a text too long for its share is cut. Columns for which nothing is left are not in the key.
struct IndexKeyForm: Sendable {
    /// The columns in the key, most significant first.
    let parts: [KeyPart]
    let identifier: IdentifierForm
    /// True if all columns of the index are in the key.
    let isComplete: Bool
    /// The end of the keys, if it is enough to find the identifier.
    let tail: Tail?

    /// The end of keys whose identifiers have a fixed width.
    struct Tail {
        fileprivate let width: Int
        /// True if a single text precedes the identifier, whose last byte shows whether it is truncated.
        fileprivate let isText: Bool

        /// As ``IndexKeyForm/identifierStart(in:)``; nil for a key that is too short.
        @inline(__always)
        func identifierStart(in key: UnsafeRawBufferPointer) -> (offset: Int, extent: KeyPart.Extent)? {
            guard key.count > width else { return nil }
            let offset = key.count - width
            return (offset, isText && key[offset - 1] == KeyPart.Mark.cut ? .cut : .whole)
        }
    }

    /// The maximum length of a key on every engine.
    static let maximumKeyBytes = 511
    /// The least share of a text.
    private static let minimumTextBytes = 32

    init?(columns: [Int], of entity: EntitySchema, identifiedBy identifier: IdentifierForm) {
        let room = Self.maximumKeyBytes - identifier.maximumBytes
        var parts: [KeyPart] = []
        var needed = 0
        for column in columns {
            guard let form = KeyPart.Form(entity.attributes[column].type) else { return nil }
            let part = KeyPart(column: column, form: form, textLimit: 0)
            needed += part.fixedWidth + (form == .text ? Self.minimumTextBytes : 0)
            guard needed <= room else { break }
            parts.append(part)
        }
        let fixed = parts.reduce(0) { $0 + $1.fixedWidth }
        let texts = parts.count { $0.form == .text }
        self.parts = parts.map { part in
            let share = part.form == .text ? (room - fixed) / texts : 0
            return KeyPart(column: part.column, form: part.form, textLimit: share)
        }
        self.identifier = identifier
        isComplete = parts.count == columns.count
        tail = Self.tail(behind: parts, identifier)
    }

    private static func tail(behind parts: [KeyPart], _ identifier: IdentifierForm) -> Tail? {
        let texts = parts.count { $0.form == .text }
        guard identifier != .text, texts == 0 || texts == 1 && parts.last?.form == .text else { return nil }
        return Tail(width: identifier.maximumBytes, isText: texts > 0)
    }

    /// Appends the key of a row.
    ///
    /// - Parameter cells: One for each column of the entity; the cells of the index and of the identifier are
    ///   read.
    func append(_ cells: UnsafePointer<Cell>, to key: ByteBuffer) {
        for part in parts { _ = part.append(cells[part.column], to: key) }
        identifier.append(cells[0], to: key)
    }

    /// The offset of the identifier, and true if one of the values was truncated.
    ///
    /// - Throws: `.damaged` when the bytes are not a key of this index.
    func identifierStart(
        in key: UnsafeRawBufferPointer
    ) throws(DataStoreError) -> (offset: Int, extent: KeyPart.Extent) {
        if let start = tail?.identifierStart(in: key) { return start }
        var offset = 0
        var extent = KeyPart.Extent.whole
        for part in parts {
            guard let end = part.end(in: key, from: offset) else {
                throw DataStoreError(.damaged, "A stored index key of \(key.count) bytes ends too early.")
            }
            offset = end.offset
            if end.extent == .cut { extent = .cut }
        }
        return (offset, extent)
    }

    /// The end of the first truncated value after a number of leading ones, or nil if none is truncated.
    func endOfCut(in key: UnsafeRawBufferPointer, behind count: Int) -> Int? {
        var offset = 0
        for (position, part) in parts.enumerated() {
            guard let end = part.end(in: key, from: offset) else { return nil }
            offset = end.offset
            if end.extent == .cut, position >= count { return offset }
        }
        return nil
    }

    /// True if one of the values in a key is nil, so that it never clashes with another.
    func holdsNil(_ key: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        for part in parts {
            guard offset < key.count, !KeyPart.isNull(key, at: offset),
                let end = part.end(in: key, from: offset)
            else { return true }
            offset = end.offset
        }
        return false
    }
}
