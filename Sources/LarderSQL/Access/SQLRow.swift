public import LarderKernel

/// The row that a statement is at.
///
///     try accessor.forEachRow(sql: "SELECT name, count(*) AS total FROM Recipe GROUP BY name") { row in
///         let name = try row.value(at: 0, as: String.self)
///         let total: Int = try row.value("total")
///     }
///
/// A value is decoded as the store decodes an attribute of the type: a `Date` from the seconds since the reference date, a
/// `UUID` from 16 bytes, a `Bool` from 0 and 1, a `Double` from any number, a `UInt64` from a number that is not negative.
///
/// PostgreSQL stores a `UInt64` or `UInt` of an item with its highest bit flipped. Do not compute with such a column there,
/// and give no other name to a column that is read as one. A computed number that has the name of such an attribute is
/// `.undecodable` as an unsigned one, and so are a column of a UNION and a column whose name an attribute of signed numbers
/// has too, of whatever item type: the server does not tell one from the other. Give the number another name; read the column
/// as an `Int64`, and flip the bit by `UInt64(bitPattern: number) ^ 1 << 63`.
///
/// *Rule:* valid during the body that receives it, which the compiler sees to; its values may go anywhere.
public struct SQLRow: ~Copyable {
    let columns: any SQLColumns
    let arena: RowArena

    /// The names of the columns, as the statement gives them.
    public var columnNames: [String] { columns.names }

    /// The value of a column, by its position from 0.
    ///
    /// - Throws: `.undecodable` if the column holds a value of another type, or nil and the type is not optional;
    ///   `.invalidRequest` if there is no such column.
    public func value<Value: AttributeStorable>(
        at position: Int, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        try columns.value(at: position, in: arena)
    }

    /// The value of a column, by its name.
    ///
    /// - Throws: As ``value(at:as:)``.
    public func value<Value: AttributeStorable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(DataStoreError) -> Value {
        guard let position = columns.names.firstIndex(where: { UTF8Text.areEqual($0, name) }) else {
            throw DataStoreError(
                .invalidRequest,
                "The statement has no column \"\(name)\", only "
                    + "\(columns.names.map { "\"\($0)\"" }.joined(separator: ", ")).")
        }
        return try columns.value(at: position, in: arena)
    }
}

extension SQLColumns {
    func value<Value: AttributeStorable>(
        at position: Int, in arena: RowArena
    ) throws(DataStoreError) -> Value {
        guard names.indices.contains(position) else {
            throw DataStoreError(
                .invalidRequest, "The column \(position) was asked for, and the statement has \(names.count)."
            )
        }
        if let cell = try cell(at: position, as: Value.attributeType.storage, in: arena),
            let value = Value.decode(cell)
        {
            return value
        }
        throw DataStoreError(
            .undecodable, "The column \"\(names[position])\" of a statement does not hold a \(Value.self).",
            advice: "Ask for the type that the statement gives, or an optional; or CAST the value.")
    }
}

/// The columns of a row, decoded one after the other.
struct SQLValues {
    let columns: any SQLColumns
    let arena: RowArena
    private var next = 0

    init(_ columns: any SQLColumns, _ arena: RowArena) {
        self.columns = columns
        self.arena = arena
    }

    mutating func next<Value: AttributeStorable>(as type: Value.Type) throws(DataStoreError) -> Value {
        defer { next += 1 }
        return try columns.value(at: next, in: arena)
    }
}
