import Larder

/// Which tables hold the rows and index entries of which item type.
///
/// The rows of an entity are in the table `e` with its number in ``StoredSchema``, each index is in the table `i`
/// with a number of its own, which is never used again.
struct TableDirectory: Hashable {
    var entities: [Entity] = []
    var nextIndexNumber = 1

    struct Entity: Hashable {
        let number: Int
        let name: String
        /// The generation of the layout of its rows.
        var layoutGeneration: UInt16
        var indexes: [Index]

        var tableName: String { "e\(number)" }
    }

    struct Index: Hashable {
        let number: Int
        let attributes: [String]

        var tableName: String { "i\(number)" }
    }

    /// Where in ``entities`` the item type of this name stands.
    func position(of name: String) -> Int? {
        entities.firstIndex { UTF8Text.areEqual($0.name, name) }
    }

    /// Gives an index its number.
    mutating func addIndex(on attributes: [String], ofEntityAt position: Int) -> Index {
        let index = Index(number: nextIndexNumber, attributes: attributes)
        nextIndexNumber += 1
        entities[position].indexes.append(index)
        return index
    }
}

extension TableDirectory.Entity {
    /// The index on these attributes.
    func index(on attributes: [String]) -> TableDirectory.Index? {
        indexes.first { index in index.attributes.elementsEqual(attributes, by: UTF8Text.areEqual) }
    }
}

extension TableDirectory {
    /// Appends the directory as the bytes that are stored.
    func write(to record: ByteBuffer) {
        record.append(number: nextIndexNumber)
        record.append(number: entities.count)
        for entity in entities {
            record.append(number: entity.number)
            record.append(text: entity.name)
            record.append(number: Int(entity.layoutGeneration))
            record.append(number: entity.indexes.count)
            for index in entity.indexes {
                record.append(number: index.number)
                record.append(texts: index.attributes)
            }
        }
    }

    /// The directory in stored bytes.
    ///
    /// - Throws: `.damaged` when they hold none.
    init(decoding bytes: UnsafeRawBufferPointer) throws(DataStoreError) {
        var fields = RecordFields(bytes)
        nextIndexNumber = try fields.number()
        for _ in 0..<(try fields.number()) {
            let number = try fields.number()
            let name = try fields.text()
            let generation = UInt16(truncatingIfNeeded: try fields.number())
            var indexes: [Index] = []
            for _ in 0..<(try fields.number()) {
                indexes.append(Index(number: try fields.number(), attributes: try fields.texts()))
            }
            entities.append(
                Entity(number: number, name: name, layoutGeneration: generation, indexes: indexes))
        }
    }
}
