import Larder

/// The items of a library in plain Swift, which answer a filter one by one.
///
/// It follows relationships as they are declared and knows neither plans nor lowering.
struct LibraryModel {
    let schema: StoreSchema
    /// For each item type its rows by identifier.
    private var rows: [[Constant: StoredRow]]
    /// For each link entity its pairs: identifiers of the source and of the target.
    private var links: [Int: [(source: Constant, target: Constant)]] = [:]

    init() throws {
        schema = try StoreSchema(storing: Library.types)
        rows = schema.entities.map { _ in [:] }
    }

    mutating func insert<Item: DataStoreItem>(_ items: [Item]) throws {
        guard let number = schema.number(of: Item.self) else { return }
        for item in items {
            let row = try StoredRow(item)
            rows[number][row.identifier] = row
        }
    }

    mutating func link(_ book: Book, labels: [Label], chapters: [Chapter]) throws {
        let id = try StoredRow(book).identifier
        try link(id, "labels", to: labels)
        try link(id, "chapters", to: chapters)
    }

    private mutating func link<Item: DataStoreItem>(
        _ book: Constant, _ name: String, to items: [Item]
    ) throws {
        guard let number = schema.number(of: Book.self),
            let relationship = schema.relationships[number].first(where: { $0.name == name }),
            case .links(let side) = relationship.form
        else { return }
        for item in items {
            links[side.entity, default: []].append((book, try StoredRow(item).identifier))
        }
    }

    /// The identifiers of the items of a request, in its order.
    func identifiers(of core: RequestCore, _ entity: Int) throws -> [Constant] {
        var core = core
        core.order = Self.distinct(core.order)
        let found = try rows[entity].values.filter { try passes($0, core.filter, entity) }
        let keys = try found.map { row in
            (row, try core.order.map { try value(at: $0.place, of: row, entity).value.folded($0.matching) })
        }
        let storages = try core.order.map { try value(at: $0.place, of: nil, entity).storage }
        let directions = core.order.map(\.isAscending)
        let sorted = keys.sorted { left, right in
            for (position, storage) in storages.enumerated() {
                let order = left.1[position].order(to: right.1[position], storage: storage)
                if order != 0 { return (order < 0) == directions[position] }
            }
            let storage = schema.entities[entity].storage(ofColumn: 0)
            return (left.0.identifier.order(to: right.0.identifier, storage: storage) < 0)
                == (directions.last ?? true)
        }
        return sorted.map(\.0.identifier).dropFirst(core.offset).prefix(core.limit ?? .max).map { $0 }
    }

    /// The terms without those that name again what an earlier one names.
    private static func distinct(_ terms: [OrderTerm]) -> [OrderTerm] {
        var seen: Set<OrderTerm> = []
        return terms.filter { seen.insert(OrderTerm($0.place, isAscending: true, $0.matching)).inserted }
    }

    /// The rows at the other end.
    private func targets(of row: StoredRow, _ relationship: StoreRelationship) -> [StoredRow] {
        let others = rows[relationship.target]
        switch relationship.form {
        case .reference(let column): return [others[row.values[column]]].compactMap { $0 }
        case .referrers(let column): return others.values.filter { $0.values[column] == row.identifier }
        case .links(let side):
            return (links[side.entity] ?? []).compactMap { link in
                let (owner, target) =
                    side.isReversed ? (link.target, link.source) : (link.source, link.target)
                return owner == row.identifier ? others[target] : nil
            }
        }
    }

    /// True if a row passes; nil stands for the item after a reference that is nil.
    private func passes(_ row: StoredRow?, _ filter: FilterNode, _ entity: Int) throws -> Bool {
        func value(_ column: Int) -> Constant { row?.values[column] ?? .null }
        switch filter {
        case .always(let value): return value
        case .compare(let column, let comparison, let constant):
            return passes(
                value(column), comparison, constant, schema.entities[entity].storage(ofColumn: column))
        case .isIn(let column, let constants): return constants.contains(value(column))
        case .text(let column, let test):
            let value = value(column)
            return value.isNull ? false : value.withCell { test.matches($0.bytes) }
        case .pattern(let column, let test):
            let value = value(column)
            return value.isNull ? false : value.withCell { test.matches($0.bytes) }
        case .calculated(let left, let comparison, let right):
            let (first, storage) = try self.value(of: left, row, entity)
            return passes(first, comparison, try self.value(of: right, row, entity).value, storage)
        case .not(let inner): return try !passes(row, inner, entity)
        case .all(let parts): return try parts.allSatisfy { try passes(row, $0, entity) }
        case .any(let parts): return try parts.contains { try passes(row, $0, entity) }
        case .related(let reference, let quantifier, let inner):
            let relationship = try schema.relationship(reference, of: entity)
            let targets = row.map { self.targets(of: $0, relationship) } ?? []
            switch quantifier {
            case .any: return try targets.contains { try passes($0, inner, relationship.target) }
            case .all: return try targets.allSatisfy { try passes($0, inner, relationship.target) }
            case .none: return try !targets.contains { try passes($0, inner, relationship.target) }
            case .reference: return try passes(targets.first, inner, relationship.target)
            }
        case .relatedCount(let reference, let comparison, let count):
            let relationship = try schema.relationship(reference, of: entity)
            let targets = row.map { self.targets(of: $0, relationship) } ?? []
            return passes(
                .integer(Int64(targets.count)), comparison, .integer(Int64(count)), .integer)
        case .mistake: return false
        }
    }

    /// The value of an attribute at the end of a path; nil if a reference on the way is nil.
    private func value(
        of node: ValueNode, _ row: StoredRow?, _ entity: Int
    ) throws -> (value: Constant, storage: AttributeType.Storage) {
        guard case .attribute(let place) = node else { return (.null, .integer) }
        return try value(at: place, of: row, entity)
    }

    private func value(
        at place: AttributePlace, of row: StoredRow?, _ entity: Int
    ) throws -> (value: Constant, storage: AttributeType.Storage) {
        var (row, entity) = (row, entity)
        for reference in place.path {
            let relationship = try schema.relationship(reference, of: entity)
            row = row.flatMap { self.targets(of: $0, relationship).first }
            entity = relationship.target
        }
        let storage = schema.entities[entity].storage(ofColumn: place.column)
        return (row?.values[place.column] ?? .null, storage)
    }

    private func passes(
        _ value: Constant, _ comparison: Comparison, _ constant: Constant, _ storage: AttributeType.Storage
    ) -> Bool {
        if value.isNull || constant.isNull {
            switch comparison {
            case .equal: return value.isNull && constant.isNull
            case .notEqual: return value.isNull != constant.isNull
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return false
            }
        }
        let order = value.order(to: constant, storage: storage)
        return switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension Constant {
    fileprivate func folded(_ matching: TextMatching) -> Constant {
        guard case .text(let text) = self else { return self }
        return .text(matching.folding.folded(text))
    }
}

extension LibraryModel {
    /// The value of a random row in a column, or nil.
    func constant(_ entity: Int, _ column: Int, using random: inout some RandomNumberGenerator) -> Constant {
        let rows = rows[entity].sorted { left, right in
            left.key.order(to: right.key, storage: schema.entities[entity].storage(ofColumn: 0)) < 0
        }
        return rows.randomElement(using: &random)?.value.values[column] ?? .null
    }
}
