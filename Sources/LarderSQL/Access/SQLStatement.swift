package import LarderKernel

/// A statement of the app in the words of an engine, with its values.
package struct SQLStatement {
    package let text: String
    package let values: [Value]
    /// True if the statement may change rows.
    package let isWriting: Bool
    // Keeps the values' memory.
    private let arena: RowArena

    /// A value for a parameter; the cell is valid as long as the statement.
    package struct Value {
        package let cell: Cell
        package let storage: AttributeType.Storage
    }

    /// - Throws: `.invalidRequest` for a statement that does not begin with one of the verbs that are allowed, or has
    ///   U+0000; `.unknownItemType`; `.invalidValue`, `.valueTooLarge`.
    init(
        _ sql: SQLText, isWriting: Bool, in catalog: SQLCatalog, _ schema: StoreSchema
    ) throws(DataStoreError) {
        func table(of type: any DataStoreItem.Type) throws(DataStoreError) -> EntityTable {
            guard let number = schema.number(of: type) else {
                throw DataStoreError(
                    .unknownItemType, "The store does not store items of the type \(type).",
                    itemType: type.schema.name)
            }
            return catalog[number]
        }
        var (text, values, arena) = ("", [Value](), RowArena(chunkBytes: 1024))
        for part in sql.parts {
            switch part {
            case .text(let words): text += words
            case .table(let type): text += try table(of: type).name
            case .column(let column, let type): text += try table(of: type).columns[column]
            case .value(let value):
                values.append(try Value(value, in: arena))
                text += catalog.dialect.placeInAppText(values.count)
            }
        }
        if values.count > catalog.dialect.maximumParameters {
            throw DataStoreError(
                .invalidRequest,
                "A statement has \(values.count) values, and the engine takes "
                    + "\(catalog.dialect.maximumParameters).", advice: "Run it for some values at a time.")
        }
        self.text = text
        self.values = values
        self.isWriting = isWriting
        self.arena = arena
        // Engines read a text up to there, without the condition that may follow.
        if text.utf8.contains(0) {
            throw DataStoreError(
                .invalidRequest, "A statement has the character U+0000.",
                advice: "Interpolate values into the text.")
        }
        try requireVerb()
    }

    private static let readingVerbs: Set = ["SELECT", "WITH", "VALUES", "EXPLAIN"]
    private static let writingVerbs: Set = ["INSERT", "REPLACE", "UPDATE", "DELETE", "MERGE", "WITH"]

    /// Refuses all statements but those that read or change rows: the store itself begins and ends transactions,
    /// changes tables and sets the options of its connections.
    private func requireVerb() throws(DataStoreError) {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "(" }
        let word = String(String.UnicodeScalarView(start.prefix { $0.properties.isAlphabetic })).uppercased()
        let verbs = isWriting ? Self.writingVerbs : Self.readingVerbs
        if verbs.contains(word) { return }
        let call = isWriting ? "execute(sql:)" : "A call that reads by SQL"
        throw DataStoreError(
            .invalidRequest,
            "\(call) was given a statement that does not begin with \(verbs.sorted().joined(separator: ", ")).",
            advice: Self.readingVerbs.union(Self.writingVerbs).contains(word)
                ? "Read by rows(sql:as:), and change rows by execute(sql:)."
                : "Leave transactions, tables and settings to the store.")
    }
}

extension SQLStatement.Value {
    fileprivate init<Stored: AttributeStorable>(
        _ value: Stored, in arena: RowArena
    ) throws(DataStoreError) {
        self.init(cell: try value.encode(in: arena), storage: Stored.attributeType.storage)
    }
}

/// A transaction that runs statements of the app.
package protocol SQLReading: StorageReading {
    /// The tables, and the words for statements about them.
    func catalog() throws(DataStoreError) -> SQLCatalog

    /// Runs a statement, and calls the body with each row until it returns false.
    ///
    /// A statement that throws has changed nothing, and the transaction continues, unless the engine has failed. *Rule:* a
    /// statement that is not ``SQLStatement/isWriting`` changes no row, even in a write transaction.
    ///
    /// - Returns: The number of rows that a writing statement has inserted, updated or deleted.
    /// - Throws: ``LarderKernel/DataStoreError/writesWhileReading`` for a reading statement that changes rows.
    func run(_ statement: SQLStatement, _ body: SQLRowBody) throws(DataStoreError) -> Int
}

package typealias SQLRowBody = (any SQLColumns, RowArena) throws(DataStoreError) -> Bool

/// The columns of the row that a running statement is at.
package protocol SQLColumns: AnyObject {
    var names: [String] { get }

    /// The value as a cell of a storage; nil if it has another form.
    ///
    /// - Parameter arena: Memory for a value whose form in the cell is another than the engine's.
    func cell(
        at position: Int, as storage: AttributeType.Storage, in arena: RowArena
    ) throws(DataStoreError) -> Cell?
}

extension SQLColumns {
    /// An integer of the engine as a cell of a storage; nil if the storage has no such numbers.
    package func cell(
        of number: Int64, as storage: AttributeType.Storage, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        switch storage {
        case .integer: return .integer(number)
        case .unsigned: return number < 0 ? nil : Cell.integer(number)
        case .real: return .real(Double(number))
        case .decimal:
            return .text(
                try String(number).withBytes { bytes throws(DataStoreError) in try arena.copy(bytes) })
        case .text, .blob, .json: return nil
        }
    }
}

extension DataStoreError {
    /// The error for a statement that changes rows, in a call that reads.
    package static var writesWhileReading: DataStoreError {
        DataStoreError(
            .readOnly, "A statement that changes rows was given to a call that reads.",
            advice: "Call execute(sql:) in a write block.")
    }

    /// The error for a request to a transaction that is over.
    package static var transactionEnded: DataStoreError {
        DataStoreError(.accessorExpired, "A transaction was used after its end.")
    }
}
