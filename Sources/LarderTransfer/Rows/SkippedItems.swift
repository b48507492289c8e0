import LarderKernel
import LarderEngine

/// The items that a copy leaves out because they cannot be decoded, and the effect on items that refer to
/// them.
///
/// A reference to such an item becomes nil, and a link with it is left out; an item that requires it is left out
/// too, and so on. References that may lead nowhere (`.noAction`) stay unchanged; links go with either end, as always.
///
/// *Rule:* made of the snapshot whose rows it judges. *Cost:* reads the items that others may refer to once;
/// keeps the identifiers of those left out.
struct SkippedItems {
    private let schema: StoreSchema
    /// For each item type the columns that refer to items, or in which links name their ends.
    private let references: [[Reference]]
    /// For each item type those left out.
    private var identifiers: [Set<AnyItemID>]

    /// - Parameter passItem: Called after each item that is read; may end the reading.
    init(
        in reader: UntypedReader, passItem: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        schema = reader.schema
        references = schema.entities.indices.map { [schema] in Reference.all(ofEntity: $0, in: schema) }
        identifiers = schema.entities.map { _ in [] }
        var pending: [(Int, AnyItemID)] = []
        for target in Set(references.joined().map(\.target)).sorted() {
            let rows = try reader.rows(
                ofEntity: target,
                UndecodableRows(.skip) { error in
                    if let identifier = error.identifier { pending.append((target, identifier)) }
                })
            defer { rows.close() }
            while try rows.next() != nil { try passItem() }
        }
        // All of one type that are known so far, as each is a request otherwise.
        while let target = pending.last?.0 {
            let skipped = pending.filter { $0.0 == target && identifiers[target].insert($0.1).inserted }
            pending.removeAll { $0.0 == target }
            if skipped.isEmpty { continue }
            for number in schema.entities.indices {
                for reference in references[number] where reference.target == target && reference.isRequired {
                    let owners = try reader.identifiers(
                        referringBy: reference, ofEntity: number, to: skipped.map(\.1), passItem)
                    pending += owners.map { (number, $0) }
                }
            }
        }
    }

    /// True if no item is left out that others may refer to.
    var isEmpty: Bool { identifiers.allSatisfy(\.isEmpty) }

    /// The judge of an item type's rows; nil if all of them stay unchanged.
    func judge(ofEntity number: Int) -> RowJudge? {
        let concerned = references[number].filter { !identifiers[$0.target].isEmpty }
        if concerned.isEmpty { return nil }
        return RowJudge(
            entity: schema.entities[number],
            references: concerned.map { ($0, identifiers[$0.target]) })
    }
}

extension SkippedItems {
    /// A column that refers to items, all of which have to exist.
    struct Reference {
        let column: Int
        /// The number of the item type that it refers to.
        let target: Int
        /// True if an item cannot be without it.
        let isRequired: Bool
        let relationship: StoreRelationship
        let ownerSchema: EntitySchema
        let targetType: AttributeType

        /// The references of an item type, or of links.
        fileprivate static func all(ofEntity number: Int, in schema: StoreSchema) -> [Reference] {
            schema.relationships.joined().flatMap { relationship -> [Reference] in
                let owner = schema.entities[relationship.owner]
                let make = { (column: Int, target: Int, isRequired: Bool) in
                    Reference(
                        column: column, target: target, isRequired: isRequired, relationship: relationship,
                        ownerSchema: owner, targetType: schema.entities[target].attributes[0].type)
                }
                switch relationship.form {
                case .referrers: return []
                case .reference(let column):
                    let mayDangle = relationship.inverse(in: schema)?.deleteRule == .noAction
                    guard relationship.owner == number, !mayDangle else { return [] }
                    return [make(column, relationship.target, !owner.attributes[column].isOptional)]
                case .links(let side):
                    guard side.entity == number, !side.isReversed else { return [] }
                    return [
                        make(side.ownerColumn, relationship.owner, false),
                        make(side.targetColumn, relationship.target, false),
                    ]
                }
            }
        }
    }
}

/// The judge of rows that may refer to items that a copy leaves out.
struct RowJudge {
    fileprivate let entity: EntitySchema
    fileprivate let references: [(reference: SkippedItems.Reference, skipped: Set<AnyItemID>)]

    /// Makes references nil that lead to items left out.
    ///
    /// - Parameter undecodable: Takes what is lost.
    /// - Returns: False if the row has to be left out.
    func accepts(
        _ cells: UnsafeMutablePointer<Cell>, _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> Bool {
        for (reference, skipped) in references where !cells[reference.column].isNull {
            guard let other = AnyItemID(cells[reference.column], type: reference.targetType),
                skipped.contains(other)
            else { continue }
            if entity.isLink {
                undecodable.lose(loss(of: reference, in: cells))
                return false
            }
            if reference.isRequired {
                try undecodable.refuse(loss(of: reference, in: cells))
                return false
            }
            undecodable.lose(loss(of: reference, in: cells))
            cells[reference.column] = .null
        }
        return true
    }

    private func loss(
        of reference: SkippedItems.Reference, in cells: UnsafePointer<Cell>
    ) -> DataStoreError {
        let owner = reference.ownerSchema
        let target = reference.relationship.targetSchema
        let (source, end) = entity.isLink ? (LinkEntity.source, LinkEntity.target) : (0, reference.column)
        let identifier = AnyItemID(cells[source], type: owner.attributes[0].type)
        let other = AnyItemID(cells[end], type: target.attributes[0].type)?.description ?? "?"
        let verb =
            entity.isLink ? "was linked with" : reference.isRequired ? "requires" : "referred to"
        let ends = entity.isLink ? ", and one of them is left out" : ", which is left out"
        return DataStoreError(
            .targetNotFound,
            "\(owner.name) \(identifier?.description ?? "?") \(verb) \(target.name) \(other) by "
                + "\(reference.relationship.name)\(ends).",
            itemType: owner.name, attribute: reference.relationship.name, identifier: identifier)
    }
}

extension UntypedReader {
    /// The items whose reference leads to one of some items; those that cannot be decoded are among them.
    fileprivate func identifiers(
        referringBy reference: SkippedItems.Reference, ofEntity number: Int, to targets: [AnyItemID],
        _ passItem: () throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> [AnyItemID] {
        let entity = schema.entities[number]
        let storage = entity.storage(ofColumn: reference.column)
        let constants = targets.map { Constant($0) }.sortedAndDistinct(storage)
        var identifiers: [AnyItemID] = []
        for part in constants.plannedParts {
            let plan = RequestPlan(
                entity: number, schema: entity, columns: .some([0]),
                predicate: .oneOf(part, inColumn: reference.column))
            try transaction.forEachRow(of: plan) { row in
                if let identifier = AnyItemID(row[0], type: entity.attributes[0].type) {
                    identifiers.append(identifier)
                }
            }
            try passItem()
        }
        return identifiers
    }
}
