import LarderKernel

/// The layout of one item type's columns in the bytes of a row: compact, with O(1) access to each of them.
///
/// The identifier, column 0, is not among the bytes; it is the key under which a row is kept. All numbers are
/// little-endian, nothing is aligned:
///
/// | part | bytes | content |
/// |---|---|---|
/// | form | 1 | 0, 1 or 2: an end in the row takes 1, 2 or 4 bytes; the other bits are 0 |
/// | generation | 2 | the number of the layout, which grows when the columns of the type change |
/// | null bits | ⌈(columns - 1) / 8⌉ | for column *c* bit (*c* - 1) % 8 of byte (*c* - 1) / 8; set for nil |
/// | fixed part | sum of the widths | the columns of fixed width, in their order; zeros for nil |
/// | ends | 1, 2 or 4 each | for each other column, in their order, the end of its bytes in the variable part |
/// | variable part | the last end | the bytes of those columns, one after the other |
///
/// Fixed widths: `bool`, `int8`, `uint8` 1; `int16`, `uint16` 2; `int32`, `uint32`, `float` 4; `int64`,
/// `uint64`, `itemID`, `double`, `date` 8; `uuid` 16. `string`, `url`, `decimal` and `json` are UTF-8, `data`
/// is stored unchanged. A row ends where its last end says; each other length is damage.
///
/// *Rule:* immutable. *Cost:* 3 bytes, a bit per column and one byte per text, for rows of up to 255 bytes of
/// text.
final class RowLayout: @unchecked Sendable {
    // reason: nothing changes after `init`; the slots lie in memory that is allocated with the layout and
    // freed with it.
    /// The number of the layout, kept in every row; a row of another generation is refused as damaged.
    let generation: UInt16
    /// The stored name of the item type, for errors.
    let entityName: String
    /// One for each column; the identifier's is never used.
    ///
    /// An array would be retained, and its bounds checked, for every column of every row.
    let slots: UnsafeBufferPointer<Slot>
    /// The slots of eight bytes that need no conversion, the slots of the variable part, and all others
    /// except the identifier's, each in the order of the columns.
    let wideSlots: UnsafeBufferPointer<Slot>
    let variableSlots: UnsafeBufferPointer<Slot>
    let otherSlots: UnsafeBufferPointer<Slot>
    /// The number of columns with bytes in the variable part.
    let variableCount: Int
    /// The offset of the ends.
    let endsOffset: Int

    /// The offset of the null bits.
    static let nullBitsOffset = 3

    /// The place of one column.
    struct Slot: Sendable {
        let column: Int
        let form: Form
        /// True if a cell holds the eight bytes of the column unchanged.
        let isWide: Bool
        /// The kind of a cell of the column when it is not nil.
        let kind: Cell.Kind
        /// The offset of a fixed-width column; the number of a variable column among its kind.
        let position: Int
        let nullByte: Int
        let nullMask: UInt8
    }

    /// The form of a column's bytes.
    enum Form: UInt8, Sendable {
        case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float, double, uuid, text, blob
    }

    /// The layout of an item type.
    convenience init(of entity: EntitySchema, generation: UInt16) {
        self.init(of: entity.attributes.map(\.type), named: entity.name, generation: generation)
    }

    /// The layout of columns of these types, the identifier's first.
    init(of types: [AttributeType], named name: String, generation: UInt16) {
        self.generation = generation
        entityName = name
        var slots: [Slot] = []
        var offset = Self.nullBitsOffset + (max(0, types.count - 1) + 7) / 8
        var variables = 0
        for (column, type) in types.enumerated() {
            let form = Form(type)
            let bit = max(0, column - 1)
            slots.append(
                Slot(
                    column: column, form: form, isWide: form.isWide, kind: form.cellKind,
                    position: form.width == nil ? variables : offset,
                    nullByte: Self.nullBitsOffset + bit / 8, nullMask: 1 << UInt8(bit % 8)))
            guard column > 0 else { continue }
            if let width = form.width { offset += width } else { variables += 1 }
        }
        self.slots = Self.kept(slots)
        let stored = slots.dropFirst()
        wideSlots = Self.kept(stored.filter(\.isWide))
        variableSlots = Self.kept(stored.filter { $0.form.width == nil })
        otherSlots = Self.kept(stored.filter { $0.form.width != nil && !$0.isWide })
        variableCount = variables
        endsOffset = offset
    }

    deinit {
        for kept in [slots, wideSlots, variableSlots, otherSlots] { kept.deallocate() }
    }

    private static func kept(_ slots: [Slot]) -> UnsafeBufferPointer<Slot> {
        let kept = UnsafeMutableBufferPointer<Slot>.allocate(capacity: slots.count)
        _ = kept.initialize(from: slots)
        return UnsafeBufferPointer(kept)
    }
}

extension RowLayout.Form {
    init(_ type: AttributeType) {
        switch type {
        case .bool: self = .bool
        case .int8: self = .int8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64, .itemID: self = .int64
        case .uint8: self = .uint8
        case .uint16: self = .uint16
        case .uint32: self = .uint32
        case .uint64: self = .uint64
        case .float: self = .float
        case .double, .date: self = .double
        case .uuid: self = .uuid
        case .string, .url, .decimal, .json: self = .text
        case .data: self = .blob
        }
    }

    /// The number of bytes in the fixed part; nil for what has its bytes in the variable part.
    var width: Int? {
        switch self {
        case .bool, .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double: 8
        case .uuid: 16
        case .text, .blob: nil
        }
    }

    fileprivate var isWide: Bool {
        switch self {
        case .int64, .uint64, .double: true
        default: false
        }
    }

    /// The kind of a cell of such a column when it is not nil.
    var cellKind: Cell.Kind {
        switch self {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: .integer
        case .float, .double: .real
        case .uuid, .blob: .blob
        case .text: .text
        }
    }
}
