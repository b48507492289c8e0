public import LarderKernel

/// The version that a store was recognized as.
public struct RecognizedVersion: Sendable {
    /// The version.
    public let version: SchemaVersion
    /// True if the store has the shape of the version, leaving out types that the version does not name.
    ///
    /// A store that has not is first brought to that shape as it follows small changes of types.
    public let hasShape: Bool
}

extension SchemaHistory {
    /// The version of a store; nil for a store that holds nothing yet.
    ///
    ///     if let stored = try address.storedSchema(), let found = try history.version(of: stored) {
    ///         print(found.version.name)
    ///     }
    ///
    /// 1. A store that keeps the name of a version is of that version.
    /// 2. A store without a name, as it was made before the app had a history, is of the version with its
    ///    shape.
    /// 3. An app that gives up a type without a step leaves the type in the store. So a store without a name
    ///    may have types that the version does not name. If several versions fit then, it is of the one with
    ///    the most types; a version without types fits no such store.
    /// 4. If several versions have this shape, or none has, it is ``unnamed``.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake; `.schemaMismatch` when it does not know the
    ///   name, or the shape is ambiguous.
    public func version(of stored: StoredSchema) throws(DataStoreError) -> RecognizedVersion? {
        try version(of: stored, byRows: false)
    }

    /// - Parameter byRows: True if the schema is stored without its relationships, which are left out of all shapes then.
    func version(of stored: StoredSchema, byRows: Bool) throws(DataStoreError) -> RecognizedVersion? {
        try validate()
        if stored.entities.isEmpty { return nil }
        let shape = SchemaShape(stored).form(byRows: byRows)
        let version: SchemaVersion
        if let name = stored.version {
            guard let known = self.version(named: name) else { throw unknownVersion(name) }
            version = known
        } else {
            let candidates = try candidates(for: shape, byRows: byRows)
            if candidates.count == 1 { return RecognizedVersion(version: candidates[0], hasShape: true) }
            guard let unnamed, let known = self.version(named: unnamed) else {
                throw try unknownShape(shape, of: candidates, byRows: byRows)
            }
            version = known
        }
        let own = try version.shape().form(byRows: byRows)
        return RecognizedVersion(version: version, hasShape: own.isPart(of: shape))
    }

    /// The versions that a shape may be: those with exactly this shape, else the largest ones in it.
    private func candidates(
        for shape: SchemaShape, byRows: Bool
    ) throws(DataStoreError) -> [SchemaVersion] {
        var shapes: [(version: SchemaVersion, shape: SchemaShape)] = []
        for version in versions { shapes.append((version, try version.shape().form(byRows: byRows))) }
        let equal = shapes.filter { $0.shape == shape }
        if !equal.isEmpty { return equal.map(\.version) }
        // A version without types is part of everything.
        let fitting = shapes.filter { !$0.shape.itemTypes.isEmpty && $0.shape.isPart(of: shape) }
        let largest = fitting.map(\.shape.itemTypes.count).max()
        return fitting.filter { $0.shape.itemTypes.count == largest }.map(\.version)
    }

    private func unknownVersion(_ name: String) -> DataStoreError {
        DataStoreError(
            .schemaMismatch,
            "The store has version \(name) of the schema, and the app knows only \(versionNames).",
            advice: """
                A newer version of the app has written it: update the app. Else add the version to the history. \
                Nothing was changed.
                """
        ).leavingNoWay()
    }

    /// - Parameter candidates: The versions that may have the shape: none, or several.
    private func unknownShape(
        _ shape: SchemaShape, of candidates: [SchemaVersion], byRows: Bool
    ) throws(DataStoreError) -> DataStoreError {
        if let first = candidates.first {
            let names = candidates.map(\.name).joined(separator: ", ")
            return DataStoreError(
                .schemaMismatch,
                "The store keeps no name of a version, and several versions have its shape: \(names).",
                advice: """
                    Name the version that such stores have: SchemaHistory(…, unnamed: "\(first.name)"). \
                    Nothing was changed.
                    """)
        }
        var nearest: (name: String, changes: [String])?
        for version in versions {
            let changes = shape.changes(since: try version.shape().form(byRows: byRows))
            if nearest.map({ changes.count < $0.changes.count }) ?? true { nearest = (version.name, changes) }
        }
        var message = "The store keeps no name of a version, and no version has its shape"
        if let nearest {
            let more = nearest.changes.count > 3 ? "; and \(nearest.changes.count - 3) more" : ""
            let changes = nearest.changes.prefix(3).joined(separator: "; ")
            message += ". Compared with version \(nearest.name): \(changes)\(more)"
        }
        return DataStoreError(
            .schemaMismatch, message + ".",
            advice: """
                Add a version of that shape to the history, as `larder schema` prints it, or name the version that \
                such stores are taken for: SchemaHistory(…, unnamed: …). Nothing was changed.
                """
        ).leavingNoWay()
    }
}

extension SchemaShape {
    /// True if another shape has all types of this one, each with the same parts.
    func isPart(of other: SchemaShape) -> Bool {
        let names = Set(itemTypes.map { UTF8Key($0) })
        let part = other.entities.filter { names.contains(UTF8Key($0.name)) }
        return self == SchemaShape(StoredSchema(shape: part))
    }
}
