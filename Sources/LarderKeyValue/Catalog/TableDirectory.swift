import LarderKernel

/// The tables that hold the rows and index entries of each item type.
///
/// The rows of an entity are in the table `e` with its number in ``StoredSchema``, each index is in the table
/// `i` with a number of its own, which is never reused.
struct TableDirectory: Hashable {
    var entities: [Entity] = []
    var nextIndexNumber = 1

    struct Entity: Hashable {
        let number: Int
        var name: String
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

    /// The position in ``entities`` of the item type with this name.
    func position(of name: String) -> Int? {
        entities.firstIndex { UTF8Text.areEqual($0.name, name) }
    }

    /// The position in ``entities`` of the item type with this number in the stored schema.
    func position(ofNumber number: Int) -> Int? {
        entities.firstIndex { $0.number == number }
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

    /// Reads and validates the directory in stored bytes.
    ///
    /// - Throws: `.damaged` when they do not hold one, or it is inconsistent.
    init(decoding bytes: UnsafeRawBufferPointer) throws(DataStoreError) {
        var fields = RecordFields(bytes)
        nextIndexNumber = try fields.number()
        for _ in 0..<(try fields.number()) {
            let number = try fields.number()
            let name = try fields.text()
            guard let generation = UInt16(exactly: try fields.number()) else {
                throw Self.damaged("The layout of \(name) has an impossible generation")
            }
            var indexes: [Index] = []
            for _ in 0..<(try fields.number()) {
                indexes.append(Index(number: try fields.number(), attributes: try fields.texts()))
            }
            entities.append(
                Entity(number: number, name: name, layoutGeneration: generation, indexes: indexes))
        }
        guard fields.isAtEnd else { throw Self.damaged("Something follows the list") }
        try requireDistinct()
    }

    /// Refuses two item types, or indexes, in one table.
    private func requireDistinct() throws(DataStoreError) {
        // One is kept free, as it is written in 4 bytes.
        guard (1..<Int(Int32.max)).contains(nextIndexNumber) else {
            throw Self.damaged("The next index has the number \(nextIndexNumber)")
        }
        var (numbers, names, indexNumbers) = (Set<Int>(), Set<UTF8Key>(), Set<Int>())
        for entity in entities {
            guard numbers.insert(entity.number).inserted, names.insert(UTF8Key(entity.name)).inserted else {
                throw Self.damaged("\(entity.name), or its number \(entity.number), is listed twice")
            }
            for index in entity.indexes {
                guard (1..<nextIndexNumber).contains(index.number), indexNumbers.insert(index.number).inserted
                else {
                    throw Self.damaged("An index of \(entity.name) has the impossible number \(index.number)")
                }
            }
        }
    }

    /// Refuses a directory that has not the tables of a schema.
    ///
    /// - Throws: `.damaged` naming what is missing.
    func requireAgreement(with schema: StoredSchema) throws(DataStoreError) {
        for entity in schema.entities {
            guard let position = position(of: entity.name), entities[position].number == entity.number else {
                throw Self.damaged("There is no table for \(entity.name)")
            }
            for index in entity.indexes where entities[position].index(on: index.attributes) == nil {
                let names = index.attributes.joined(separator: ", ")
                throw Self.damaged("There is no table for the index of \(entity.name) on \(names)")
            }
        }
        guard entities.count == schema.entities.count else {
            throw Self.damaged("There are tables for item types that the store does not have")
        }
    }

    private static func damaged(_ what: String) -> DataStoreError {
        DataStoreError(.damaged, "The list of tables kept in the store is wrong: \(what).")
    }
}
