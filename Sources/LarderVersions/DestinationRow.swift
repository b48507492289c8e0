public import LarderKernel

/// A row of the new version in a ``SchemaStep``: its attributes by their names.
///
///     let recipe = try new.make()
///     recipe["title"] = try old["name"]
///     try recipe.set("uuid", to: UUID())
///     try recipe.setLinks("tags", to: old.identifiers("labels"))
///
/// *Rule:* used inside the call it was made in, on its thread.
public final class DestinationRow {
    let entity: DestinationEntity
    private let state: DestinationState
    // reason for unchecked: used by one thread at a time, like the state.
    @exclusivity(unchecked) var cells: UnsafeMutablePointer<Cell>
    /// The call in which it was made; it cannot be changed after that.
    @exclusivity(unchecked) private var epoch: Int
    /// The identifiers that relationships were given, by their position in the entity's list.
    @exclusivity(unchecked) private(set) var links: [(relationship: Int, targets: [AnyItemID])] = []
    /// The followed references that the closure has assigned.
    @exclusivity(unchecked) private(set) var assigned: [Int] = []
    /// The references to rows of a type that is another one in the new version, which the closure has to assign.
    @exclusivity(unchecked) private(set) var lost: [Int] = []
    /// For each of ``links`` the targets that are new rows.
    @exclusivity(unchecked) private(set) var newTargets: [Int: Set<AnyItemID>] = [:]

    init(of entity: DestinationEntity, cells: UnsafeMutablePointer<Cell>, in state: DestinationState) {
        self.entity = entity
        self.cells = cells
        self.state = state
        epoch = state.epoch
    }

    /// Becomes another row of the same type.
    ///
    /// *Rule:* only for a row that was stored and that no closure holds any more.
    func restart(with cells: UnsafeMutablePointer<Cell>) {
        self.cells = cells
        epoch = state.epoch
        if !links.isEmpty { links.removeAll() }
        if !assigned.isEmpty { assigned.removeAll() }
        if !lost.isEmpty { lost.removeAll() }
        if !newTargets.isEmpty { newTargets.removeAll() }
    }

    /// The name of the version that it is a row of.
    var version: String { state.version }

    /// The name of its type.
    public var type: String { entity.name }

    /// Its identifier; nil after the call it was made in.
    public var id: AnyItemID? {
        isOfRunningCall ? AnyItemID(cells[0], type: entity.types[0]) : nil
    }

    /// The value of an attribute.
    ///
    /// A value that does not fit is refused when the call ends: `.unknownAttribute`; `.wrongType` if the
    /// new version stores another type; `.invalidValue`. ``set(_:to:)`` throws at once.
    public subscript(_ attribute: String) -> StoredValue {
        get {
            guard isOfRunningCall, let column = entity.column(attribute) else { return nil }
            let type = entity.types[column]
            return StoredValue(
                Constant(cells[column], storage: type.storage), type: type, isOld: !assigned.contains(column))
        }
        set {
            do throws(DataStoreError) {
                try set(attribute, toStored: newValue)
            } catch {
                state.failure = state.failure ?? error
            }
        }
    }

    /// Sets an attribute to a value of the app.
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType` if the new version stores another type;
    ///   `.invalidValue`, `.valueTooLarge`; `.accessorExpired`.
    public func set<Value: AttributeStorable>(
        _ attribute: String, to value: Value
    ) throws(DataStoreError) {
        let column = try column(attribute)
        try requireFit(Value.attributeType, at: column)
        do {
            put(try value.encode(in: state.arena), at: column)
        } catch {
            throw error.about(itemType: type, attribute: attribute, identifier: id)
        }
    }

    /// Sets a reference to the item with an identifier; nil for no item.
    ///
    ///     let author = try new.make("Author", id: new.newIdentifier(of: "Author"))
    ///     try recipe.set("author", to: author.id)
    ///
    /// - Throws: `.unknownAttribute`; `.wrongType` if the new version stores another type of identifier;
    ///   `.accessorExpired`.
    public func set(_ attribute: String, to identifier: AnyItemID?) throws(DataStoreError) {
        try set(attribute, toStored: identifier.map(StoredValue.identifier) ?? nil)
    }

    private func set(_ attribute: String, toStored value: StoredValue) throws(DataStoreError) {
        let column = try column(attribute)
        guard let type = value.type else { return put(.null, at: column) }
        try requireFit(type, at: column)
        do {
            put(try state.arena.cell(of: try value.constant.get()), at: column, isOld: value.isOld)
        } catch {
            throw error.about(itemType: self.type, attribute: attribute, identifier: id)
        }
    }

    /// Gives a relationship that is kept as links the items that it leads to, in their order, instead of the
    /// old row's.
    ///
    /// - Throws: `.unknownAttribute` for a relationship that keeps no links of this type; `.wrongType`;
    ///   `.accessorExpired`.
    public func setLinks(_ relationship: String, to targets: [AnyItemID]) throws(DataStoreError) {
        try requireOpen()
        let position = entity.links.firstIndex { UTF8Text.areEqual($0.name, relationship) }
        guard let position else {
            throw DataStoreError(
                .unknownAttribute,
                "\(type).\(relationship) of version \(state.version) does not keep links.",
                advice: "Name a ToMany of \(type) that is not the inverse of another relationship.",
                itemType: type, attribute: relationship)
        }
        let needed = entity.links[position].targetType
        for target in targets where !target.fits(needed) {
            throw DataStoreError(
                .wrongType, "\(type).\(relationship) leads to identifiers of the type \(needed.rawValue).",
                itemType: type, attribute: relationship, identifier: id)
        }
        links.removeAll { $0.relationship == position }
        links.append((position, targets))
    }

    func put(_ cell: Cell, at column: Int, isOld: Bool = false) {
        cells[column] = cell
        state.bytes += Int(cell.length)
        if !lost.isEmpty { lost.removeAll { $0 == column } }
        if entity.followed.isEmpty { return }
        assigned.removeAll { $0 == column }
        if !isOld { assigned.append(column) }
    }

    func put(_ cell: Cell, of type: AttributeType, for attribute: String) throws(DataStoreError) {
        let column = try column(attribute)
        if cell.isNull { return put(.null, at: column) }
        try requireFit(type, at: column)
        put(cell, at: column)
    }

    /// True until the call in which it was made has ended.
    var isOfRunningCall: Bool { epoch == state.epoch }

    /// Leaves a reference without a value until the closure assigns one.
    func lose(_ column: Int) {
        lost.append(column)
    }

    /// The followed references that stay, as the closure has given them new rows.
    ///
    /// The links to new rows are noted in ``newTargets``.
    func findReferencesToNewRows() -> [FollowedReference] {
        for (position, targets) in links {
            guard let type = entity.links[position].followed?.type else { continue }
            newTargets[position] = Set(targets.filter { state.newRows.contains(NewRow(type: type, id: $0)) })
        }
        return entity.followed.filter { reference in
            guard assigned.contains(reference.column),
                let id = AnyItemID(cells[reference.column], type: entity.types[reference.column])
            else { return false }
            return state.newRows.contains(NewRow(type: reference.type, id: id))
        }
    }

    private func requireOpen() throws(DataStoreError) {
        if isOfRunningCall { return }
        throw DataStoreError(
            .accessorExpired, "A row of a schema step was used after the call it was made in.")
    }

    private func column(_ attribute: String) throws(DataStoreError) -> Int {
        try requireOpen()
        guard let column = entity.column(attribute) else {
            throw DataStoreError(
                .unknownAttribute, "Version \(state.version) has no attribute \(type).\(attribute).",
                advice: "It has these: \(entity.names.joined(separator: ", ")).", itemType: type,
                attribute: attribute, identifier: id)
        }
        if column == 0 {
            throw DataStoreError(
                .unsupported, "The identifier of a new row is given when it is made.",
                advice: "Write make(id:).", itemType: type, attribute: attribute)
        }
        return column
    }

    private func requireFit(_ given: AttributeType, at column: Int) throws(DataStoreError) {
        if entity.accepts(given, at: column) { return }
        throw DataStoreError(
            .wrongType,
            """
            Version \(state.version) stores \(type).\(entity.names[column]) as \
            \(entity.types[column].rawValue), and the step gives it a value stored as \(given.rawValue).
            """, itemType: type, attribute: entity.names[column], identifier: id)
    }
}

extension AnyItemID {
    /// True if it can identify items whose identifiers have this type.
    func fits(_ type: AttributeType) -> Bool {
        switch self {
        case .itemID(let number), .integer(let number):
            type.storage == .integer && Self.range(of: type).contains(number)
        case .uuid: type == .uuid
        case .string: type.storage == .text
        }
    }

    private static func range(of type: AttributeType) -> ClosedRange<Int64> {
        switch type {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        default: .min ... .max
        }
    }
}

/// The part of a ``Destination`` that its rows use too; a row that is kept too long finds it, and that its
/// call has ended.
final class DestinationState {
    let version: String
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) var arena = RowArena()
    /// The number of the present call.
    @exclusivity(unchecked) var epoch = 0
    /// The bytes of the values that are not stored yet.
    @exclusivity(unchecked) var bytes = 0
    /// The first error of an assignment.
    @exclusivity(unchecked) var failure: DataStoreError?
    /// The rows with identifiers of their own that the present call has made, or has found, of types whose rows
    /// may get other identifiers.
    @exclusivity(unchecked) var newRows: Set<NewRow> = []

    init(version: String) {
        self.version = version
    }
}

/// A type of the new version whose rows a step makes.
final class DestinationEntity {
    let name: String
    /// Its number in the schema of the transaction.
    let number: Int
    let schema: EntitySchema
    private let columns: ColumnNames
    let types: [AttributeType]
    /// The columns that no row may leave without a value.
    let requiredColumns: [Int]
    /// Its relationships that are kept as links, and that belong to this side.
    let links: [DestinationLinks]
    /// Its references to types whose rows may get other identifiers.
    let followed: [FollowedReference]
    /// Its number in the new version's types, if its rows may get other identifiers; else nil.
    let movingType: Int?

    init(
        _ schema: EntitySchema, named name: String, number: Int, links: [DestinationLinks],
        followed: [FollowedReference] = [], movingType: Int? = nil
    ) {
        self.name = name
        self.number = number
        self.schema = schema
        self.links = links
        self.followed = followed
        self.movingType = movingType
        columns = ColumnNames(of: schema)
        types = schema.attributes.map(\.type)
        requiredColumns = schema.declaredAttributes.indices.filter { !schema.attributes[$0].isOptional }
    }

    var names: [String] { columns.texts }

    func column(_ name: String) -> Int? { columns.position(of: name) }

    /// True if values of a type may be put into a column.
    func accepts(_ given: AttributeType, at column: Int) -> Bool {
        switch (given, types[column]) {
        case (.itemID, .int64), (.int64, .itemID): true
        case (_, let needed): given.widens(to: needed)
        }
    }
}
