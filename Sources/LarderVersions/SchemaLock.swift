public import LarderKernel

/// The hashes of the shapes of all versions of a history, as a test of the app keeps them.
///
/// ```text
/// 1: 4f0c6a31b0f5de0a7c2ef8d25a3b9e71
/// 2: 91ab02c7d6e84f3390b1c5de7f2a4480
/// ```
///
/// Below a version may be its shape, indented, so that a comparison can name what has changed. *Rule:* a
/// value, made of its text or of a history.
public struct SchemaLock: Sendable {
    /// The lines of one version.
    struct Entry: Sendable {
        let version: String
        let hash: String
        /// The shape, if the lock has it.
        let shape: SchemaShape?
    }

    let entries: [Entry]

    /// The lock of the current history.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake.
    public init(_ history: SchemaHistory) throws(DataStoreError) {
        try history.validate()
        var entries: [Entry] = []
        for version in history.versions {
            let shape = try version.shape()
            entries.append(Entry(version: version.name, hash: shape.hash, shape: shape))
        }
        self.entries = entries
    }

    /// The lock of a text.
    ///
    /// - Throws: `.invalidSchema` with the line that cannot be read.
    public init(text: String) throws(DataStoreError) {
        let lines = ShapeLine.lines(of: text)
        let heads = lines.indices.filter { !lines[$0].isIndentedOrEmpty }
        if let first = lines.firstIndex(where: { !$0.utf8.allSatisfy(ShapeLine.isSpace) }),
            lines[first].isIndentedOrEmpty
        {
            throw Self.wrong(lines[first], at: first)
        }
        var entries: [Entry] = []
        for (position, head) in heads.enumerated() {
            let end = position + 1 < heads.count ? heads[position + 1] : lines.endIndex
            entries.append(
                try Self.entry(lines[head], lines[(head + 1)..<end].map(\.withoutIndent), at: head))
        }
        self.entries = entries
    }

    private static func entry(
        _ head: Substring, _ lines: [Substring], at position: Int
    ) throws(DataStoreError) -> Entry {
        let hash = String(decoding: Array(head.utf8.suffix(32)), as: UTF8.self)
        let front = head.utf8.dropLast(32)
        guard let digest = RowDigest(hash), front.count > 2, front.reversed().starts(with: " :".utf8) else {
            throw wrong(head, at: position)
        }
        let hasShape = !lines.allSatisfy { $0.utf8.allSatisfy(ShapeLine.isSpace) }
        return Entry(
            version: String(decoding: Array(front.dropLast(2)), as: UTF8.self), hash: digest.description,
            shape: hasShape ? try SchemaShape(lines: lines, firstLine: position + 2) : nil)
    }

    private static func wrong(_ line: Substring, at position: Int) -> DataStoreError {
        DataStoreError(
            .invalidSchema, "Line \(position + 1) of the lock is not a version with its hash.",
            excerpt: ["    \(line)"],
            advice: "Write it as `1: 4f0c…`, with the 32 digits of the shape's hash.")
    }
}

// MARK: Versions

extension SchemaLock {
    /// The versions of a lock with shapes, in their order, described by these.
    ///
    ///     let history = SchemaHistory(try SchemaLock(text: lock).versions())
    ///
    /// For tools that have no Swift types of the app.
    ///
    /// - Throws: `.invalidSchema` for a version with item types and without a shape below its line, or with another shape
    ///   than its hash says.
    public func versions() throws(DataStoreError) -> [SchemaVersion] {
        var versions: [SchemaVersion] = []
        // A version without types has no lines below its own.
        let empty = SchemaShape(StoredSchema.empty)
        for entry in entries {
            guard let shape = entry.shape ?? (entry.hash == empty.hash ? empty : nil) else {
                throw DataStoreError(
                    .invalidSchema,
                    "The lock has only the hash of version \(entry.version), and not its shape.",
                    advice: "Print the lock with shapes: history.lock(withShapes: true).")
            }
            if let difference = entry.difference(of: shape) {
                throw DataStoreError(
                    .invalidSchema, difference, advice: "Print it again: history.lock(withShapes: true).")
            }
            versions.append(SchemaVersion(entry.version, shape: shape))
        }
        return versions
    }
}

// MARK: Comparing

extension SchemaLock {
    /// The points in which a history differs from the lock, a sentence each; empty if there are none.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake.
    public func differences(from history: SchemaHistory) throws(DataStoreError) -> [String] {
        let present = try SchemaLock(history)
        var differences: [String] = []
        for entry in present.entries {
            guard let shape = entry.shape else { continue }
            guard let locked = entries.first(where: { UTF8Text.areEqual($0.version, entry.version) }) else {
                differences.append("Version \(entry.version) is not in the lock.")
                continue
            }
            differences += [locked.difference(of: shape)].compactMap(\.self)
        }
        for entry in entries where history.version(named: entry.version) == nil {
            differences.append(
                "Version \(entry.version) is in the lock, and the history does not have it any more.")
        }
        return differences
    }
}

extension SchemaLock.Entry {
    fileprivate func difference(of present: SchemaShape) -> String? {
        guard let shape else {
            if hash == present.hash { return nil }
            let lines = present.description.split(separator: "\n").map { "    " + $0 }
            return "Version \(version) has changed; its shape is now:\n" + lines.joined(separator: "\n")
        }
        let changes = present.changes(since: shape)
        if !changes.isEmpty { return "Version \(version) has changed: \(changes.joined(separator: "; "))." }
        return hash == present.hash
            ? nil : "The hash of version \(version) in the lock does not match the shape below it."
    }
}

// MARK: Printing

extension SchemaLock: CustomStringConvertible {
    /// A line for each version: its name and the hash of its shape.
    public var description: String { text(withShapes: false) }

    /// The lock as text, as ``init(text:)`` reads it.
    ///
    /// - Parameter withShapes: True to put each version's shape below its line, so that a comparison can name
    ///   what has changed.
    public func text(withShapes: Bool) -> String {
        entries.map { entry in
            let shape = withShapes ? entry.shape : nil
            let lines = shape?.description.split(separator: "\n").map { "  " + $0 } ?? []
            return (["\(entry.version): \(entry.hash)"] + lines).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension SchemaHistory {
    /// The lock of the history, for a test of the app: a line for each version with the hash of its shape.
    ///
    ///     print(try history.lock())   // 1: 4f0c…
    ///                                 // 2: 91ab…
    ///
    /// - Parameter withShapes: True to put each version's shape below its line.
    /// - Throws: `.invalidSchema` when the history has a mistake.
    public func lock(withShapes: Bool = false) throws(DataStoreError) -> String {
        try SchemaLock(self).text(withShapes: withShapes)
    }
}

extension Substring {
    fileprivate var isIndentedOrEmpty: Bool { utf8.first.map(ShapeLine.isSpace) ?? true }

    /// The line without two spaces in front.
    fileprivate var withoutIndent: Substring {
        utf8.starts(with: "  ".utf8) ? Substring(utf8.dropFirst(2)) : self
    }
}
