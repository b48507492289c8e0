import LarderKernel

// A row of the first part says by which key the items of a type were last dealt out, and among which parts. If the app
// gives another key, or other parts, its items move before the store is used.

extension RoutedAdapter {
    /// Moves the items of each type with a key into the parts that they name, unless this was done for the same key and
    /// parts; some thousand in each commit.
    ///
    /// *Cost:* a look-up for each key, and reads all items of a type whose key or parts are new. They are checked, too:
    /// as no part knows the others, two of them may have one identifier or unique value. So are the references and links
    /// of these types, if no part is left out: a part that comes back has not followed the deletions meanwhile.
    ///
    /// - Throws: `.invalidValue`, `.duplicateIdentifier`, `.uniqueViolation`, `.targetNotFound`, naming the item, with
    ///   nothing moved; `.readOnly` if items may have to move and the store is read-only.
    func placeItems(_ schema: RoutedSchema) throws(DataStoreError) {
        var wanted: [UTF8Key: (entity: Int, record: PartRecord)] = [:]
        for (entity, partition) in schema.partitions.enumerated() {
            guard let partition else { continue }
            let entitySchema = schema.whole.entities[entity]
            wanted[UTF8Key(Self.recordPrefix + entitySchema.name)] =
                (entity, PartRecord(identity: partition.description(of: entitySchema)))
        }
        let records = try readingFirstPart(schema) { first throws(DataStoreError) in try first.records() }
        let missing = wanted.filter { name, key in records[name]?.identity != key.record.identity }
        let dropped = records.keys.filter { $0.text.hasPrefix(Self.recordPrefix) && wanted[$0] == nil }
        if missing.isEmpty, dropped.isEmpty || isReadOnly { return }
        if isReadOnly {
            throw DataStoreError(
                .readOnly, "The items of a type may be in other parts than its PartKey names.",
                advice: "Open the store for writing once; items move then.", path: location)
        }
        // References may lead to the items of a part that is left out.
        let isWhole = !records.keys.contains(where: schema.isLeftOut)
        var placing = Placing(of: missing.values.map(\.entity), in: schema, checksReferences: isWhole)
        var isDone = false
        while !isDone {
            let writing = try beginRoutedWriting()
            defer { writing.end() }
            isDone = try writing.placeRows(&placing)
            // The rows are dealt out by no key until the last commit, and after a kill by any that is given then.
            for (name, key) in missing { try writing.write(isDone ? key.record : nil, as: name.text) }
            for name in dropped { try writing.write(nil, as: name.text) }
            try writing.commit()
        }
    }

    /// The beginning of the names of these rows, which sets them apart from the names of parts.
    static var recordPrefix: String { "\n" }
}

extension RoutedWriting {
    /// Replaces a row of the first part's records; deletes it if there is no new one.
    fileprivate func write(_ record: PartRecord?, as name: String) throws(DataStoreError) {
        let (first, entity) = (try writing(of: 0), schema.record(of: 0))
        if let record {
            try record.write(as: name, in: first, entity)
        } else {
            try PartRecord.delete(name, in: first, entity)
        }
        noteChange(of: 0)
    }
}
