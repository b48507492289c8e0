import LarderText
import Foundation
import LarderKernel
import LarderEngine

/// Writes the rows of one item type as lines.
///
///     {"entity":"Recipe","values":{"id":"01HZX8K2M0Q4T","name":"Cake","rating":4.5,"tags":["sweet"]}}
struct JSONLinesRow {
    private let start: [UInt8]
    private let keys: [[UInt8]]
    private let types: [AttributeType]
    private let relationships: [(key: [UInt8], type: AttributeType)]

    /// - Parameter relationships: The relationships whose links are in the lines.
    init(of entity: EntitySchema, _ relationships: [StoreRelationship]) {
        var writer = JSONWriter()
        writer.append("{\"entity\":")
        writer.append(text: entity.name)
        writer.append(",\"values\":{")
        start = writer.bytes
        keys = entity.declaredAttributes.enumerated().map { column, attribute in
            var writer = JSONWriter()
            if column > 0 { writer.append(",") }
            writer.append(text: attribute.name)
            writer.append(":")
            return writer.bytes
        }
        types = entity.declaredAttributes.map(\.type)
        self.relationships = relationships.map { relationship in
            var writer = JSONWriter()
            writer.append(",")
            writer.append(text: relationship.name)
            writer.append(":[")
            return (writer.bytes, relationship.targetSchema.attributes[0].type)
        }
    }

    /// Appends a row whose values are known to be of their types.
    ///
    /// - Parameter targets: The identifiers of the items at the other ends, for each relationship.
    func write(
        _ cells: UnsafePointer<Cell>, linkedWith targets: [[Constant]], to writer: inout JSONWriter
    ) {
        writer.append(json: start)
        for (column, type) in types.enumerated() {
            writer.append(json: keys[column])
            writer.append(cells[column], type)
        }
        for (relationship, targets) in zip(relationships, targets) {
            writer.append(json: relationship.key)
            for (position, target) in targets.enumerated() {
                if position > 0 { writer.append(",") }
                target.withCell { writer.append($0, relationship.type) }
            }
            writer.append("]")
        }
        writer.append("}}\n")
    }
}

extension JSONWriter {
    fileprivate mutating func append(_ cell: Cell, _ type: AttributeType) {
        if cell.isNull { return append("null") }
        switch type {
        case .bool: append(cell.bits == 0 ? "false" : "true")
        case .int8, .int16, .int32, .uint8, .uint16, .uint32: append(String(cell.integer))
        // Many readers of JSON take numbers for doubles, in which 64 bits do not fit.
        case .int64: append("\"\(cell.integer)\"")
        case .uint64: append("\"\(cell.bits)\"")
        case .itemID: append("\"\(ItemIDText.text(of: cell.integer))\"")
        case .float: append(number: Float(cell.real))
        case .double, .date: append(number: cell.real)
        case .string, .url, .decimal, .json: append(text: cell.bytes)
        case .data: append("\"\(Data(cell.bytes).base64EncodedString())\"")
        case .uuid: append("\"\(UUID.decode(cell)?.uuidString ?? "")\"")
        }
    }

    /// The shortest digits that give the same number back; JSON has no infinities, so they are texts.
    private mutating func append(number: some BinaryFloatingPoint & LosslessStringConvertible) {
        append(number.isFinite ? number.description : "\"\(number.description)\"")
    }
}

extension JSONValue {
    /// The value as attributes of a type store it, or nil if it does not fit the type.
    ///
    /// Numbers are taken as numbers and as texts.
    ///
    /// - Throws: `.invalidValue`, `.valueTooLarge`.
    func cell(of type: AttributeType, in arena: RowArena) throws(DataStoreError) -> Cell? {
        switch self {
        case .null: .null
        case .bool(let value): try type.cell(ofFlag: value, .exact, in: arena)
        case .number(let digits): try type.cell(ofNumber: digits, .exact, in: arena)
        case .text(let text): try type.cell(ofText: text, .exact, in: arena)
        case .list, .object: nil
        }
    }
}
