#if PostgreSQL
    import Larder

    /// An item with a unique text, which an import finds it by.
    struct Entry: DataStoreItem, Equatable {
        let id: Int64
        var code: String
        var amount: Int

        struct Attributes: StoredAttributes {
            let id = Attribute<Entry, Int64>(column: 0)
            let code = Attribute<Entry, String>(column: 1)
            let amount = Attribute<Entry, Int>(column: 2)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Entry",
            attributes: [
                .attribute("id", Int64.self), .attribute("code", String.self), .attribute("amount", Int.self),
            ],
            indexes: [.unique("code")])

        static let map = ImportMap<Entry, Entry>(by: \.code, from: \.code) {
            Import(\.id, from: \.id)
            Import(\.amount, from: \.amount)
        }

        static var thousand: [Entry] { (1...1000).map { Entry($0) } }

        init(_ id: Int64) { (self.id, code, amount) = (id, "code-\(id)", Int(id)) }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            code = try row.value(at: 1)
            amount = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(code, at: 1)
            try row.set(amount, at: 2)
        }
    }
#endif
