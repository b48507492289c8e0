import Larder

/// A store and its children as dictionaries: of each child the rows that it has touched, as they were in the
/// parent then and as they are in the child.
///
/// Left out: relationships in an order, one-to-one references, `.deny`, resolutions by the app. The kit's
/// cases are about these.
struct ChildModel: FamilyModel {
    /// A value of a row.
    enum Value: Hashable, CustomStringConvertible {
        case number(Int64)
        case text(String)
        case none

        var number: Int64? { if case .number(let number) = self { number } else { nil } }

        var description: String {
            switch self {
            case .number(let number): String(number)
            case .text(let text): text.debugDescription
            case .none: "nil"
            }
        }

        init(_ number: Int64?) { self = number.map { .number($0) } ?? .none }
    }

    /// The values of a row by column, its identifier first.
    typealias Row = [Value]
    /// The rows of one item type.
    typealias Rows = [Int64: Row]

    static let (grower, plant, link) = (0, 1, 2)
    static let names = ["Grower", "Plant"]
    static let columns = [
        ["id", "name", "score"], ["id", "size", "weight", "owner", "helper"], ["id", "source", "target"],
    ]
    static let (name, owner, helper) = (1, 3, 4)

    /// The references in the order of their judgement, with the rule for their target's deletion.
    struct Reference {
        let entity: Int
        let column: Int
        let target: Int
        var nullifies = false
    }

    static let references = [
        Reference(entity: plant, column: owner, target: grower),
        Reference(entity: plant, column: helper, target: grower, nullifies: true),
        Reference(entity: link, column: 1, target: plant),
        Reference(entity: link, column: 2, target: grower),
    ]

    /// A row as it was when the child first touched it; nil if the parent did not have it.
    struct Base {
        let row: Row?
    }

    /// A store: all its rows, or those that it has touched.
    struct Level: FamilyLevel {
        let parent: Int?
        var rows: [Rows] = [[:], [:], [:]]
        var bases: [[Int64: Base]] = [[:], [:], [:]]
        /// Each row as it was when the child deleted it.
        var lasts: [Rows] = [[:], [:], [:]]
        var changes = 0
        var start: [Int] = []

        init(parent: Int?, changes: Int = 0, start: [Int] = []) {
            (self.parent, self.changes, self.start) = (parent, changes, start)
        }
    }

    var levels: [Int: Level] = [0: Level(parent: nil)]

    typealias Code = DataStoreError.Code

    enum Change {
        case insert(Row)
        case update([Int: Value])
        case delete
    }

    /// A change of one row.
    struct Mutation {
        let entity: Int
        let id: Int64
        var change: Change

        init(_ entity: Int, _ id: Int64, _ change: Change) {
            (self.entity, self.id, self.change) = (entity, id, change)
        }

        /// The value that the change gives a column; nil if it does not.
        func value(_ column: Int) -> Value? {
            switch change {
            case .insert(let row): row[column]
            case .update(let values): values[column]
            case .delete: nil
            }
        }

        var isDeletion: Bool { if case .delete = change { true } else { false } }
    }
}

// MARK: Reading

extension ChildModel {
    func row(_ entity: Int, _ id: Int64, at number: Int) -> Row? {
        guard let level = levels[number] else { return nil }
        guard let parent = level.parent, level.bases[entity][id] == nil else { return level.rows[entity][id] }
        return row(entity, id, at: parent)
    }

    /// All rows that a store shows.
    func view(_ number: Int) -> [Rows] {
        guard let level = levels[number] else { return [] }
        guard let parent = level.parent else { return level.rows }
        var rows = view(parent)
        for entity in rows.indices {
            for id in level.bases[entity].keys { rows[entity][id] = level.rows[entity][id] }
        }
        // A link that both have made under two identifiers is shown once, and not if the child has removed it.
        let touched = level.rows[Self.link].values + level.bases[Self.link].values.compactMap(\.row)
        let ends = Set(touched.map { Array($0[1...]) })
        rows[Self.link] = rows[Self.link].filter { id, row in
            level.rows[Self.link][id] != nil || !ends.contains(Array(row[1...]))
        }
        return rows
    }
}

// MARK: Writing

extension ChildModel {
    /// The errors that a call with these changes may throw; none if it succeeds.
    func refusals(_ mutations: [Mutation], at number: Int) -> Set<Code> {
        var codes: Set<Code> = []
        let view = view(number)
        if !clashes(mutations, view).isEmpty { codes.insert(.uniqueViolation) }
        if !dangling(mutations, view).isEmpty { codes.insert(.targetNotFound) }
        for mutation in mutations {
            if case .insert = mutation.change, view[mutation.entity][mutation.id] != nil {
                codes.insert(.duplicateIdentifier)
            }
        }
        return codes
    }

    /// Makes changes that no rule refuses, and all that follows from their deletions.
    mutating func apply(_ mutations: [Mutation], at number: Int) {
        // Nothing follows from the deletion of what is not there, or is inserted again.
        var gone: [Set<Int64>] = [[], [], []]
        for mutation in mutations {
            if case .delete = mutation.change, row(mutation.entity, mutation.id, at: number) != nil {
                gone[mutation.entity].insert(mutation.id)
            }
            write(mutation, at: number)
        }
        for entity in gone.indices {
            gone[entity] = gone[entity].filter { row(entity, $0, at: number) == nil }
        }
        while gone.contains(where: { !$0.isEmpty }) {
            var next: [Set<Int64>] = [[], [], []]
            let view = view(number)
            for reference in Self.references {
                for (id, row) in view[reference.entity] {
                    guard let target = row[reference.column].number, gone[reference.target].contains(target)
                    else { continue }
                    if reference.nullifies {
                        write(Mutation(reference.entity, id, .update([reference.column: .none])), at: number)
                    } else {
                        next[reference.entity].insert(id)
                    }
                }
            }
            for entity in next.indices {
                for id in next[entity] { write(Mutation(entity, id, .delete), at: number) }
            }
            gone = next
        }
    }

    /// Makes a change, and nothing that follows from it.
    mutating func write(_ mutation: Mutation, at number: Int) {
        let (entity, id) = (mutation.entity, mutation.id)
        guard var level = levels[number] else { return }
        let old = row(entity, id, at: number)
        let new: Row?
        switch mutation.change {
        case .insert(let row): new = row
        case .update(let values):
            guard var row = old, !values.isEmpty else { return }
            for (column, value) in values { row[column] = value }
            new = row
        case .delete:
            if old == nil { return }
            new = nil
        }
        if let parent = level.parent {
            let base = level.bases[entity][id] ?? Base(row: old)
            // What was the child's alone leaves no trace.
            let isGone = new == nil && base.row == nil && row(entity, id, at: parent) == nil
            level.bases[entity][id] = isGone ? nil : base
            if entity == Self.link, new == nil, let own = level.rows[entity][id] {
                for (other, row) in view(parent)[entity] where row[1...] == own[1...] {
                    if level.bases[entity][other] == nil { level.bases[entity][other] = Base(row: row) }
                }
            }
        }
        if let old {
            // Of a row that is there, the values that were made nil.
            let last = level.lasts[entity][id]
            let isFreed = old.indices.contains { old[$0] != Value.none && new?[$0] == Value.none }
            if new == nil { level.lasts[entity][id] = old }
            if isFreed {
                level.lasts[entity][id] = old.indices.map { column -> Value in
                    old[column] == Value.none ? last?[column] ?? Value.none : old[column]
                }
            }
        } else {
            level.lasts[entity][id] = nil
        }
        level.rows[entity][id] = new
        level.changes += 1
        levels[number] = level
    }
}

// MARK: Rules

extension ChildModel {
    /// A change that a rule refuses.
    struct Clash {
        let position: Int
        let columns: [Int]
        let kind: MergeConflict.Kind
    }

    /// The unique names that are taken: by a change before in the list, or by a row that keeps its name.
    func clashes(_ mutations: [Mutation], _ view: [Rows]) -> [Clash] {
        var claims: [(name: Value, id: Int64, position: Int)] = []
        var released: Set<Int64> = []
        var clashes: [Clash] = []
        for (position, mutation) in mutations.enumerated() where mutation.entity == Self.grower {
            let value = mutation.value(Self.name)
            if case .insert = mutation.change {
            } else if value != nil || mutation.isDeletion {
                released.insert(mutation.id)
            }
            guard let value else { continue }
            if let other = claims.firstIndex(where: { $0.name == value }) {
                if claims[other].id != mutation.id {
                    clashes.append(nameClash(position, claims[other].id))
                }
                claims.remove(at: other)
            }
            claims.append((value, mutation.id, position))
        }
        for claim in claims {
            let holder = view[Self.grower].filter { id, row in
                row[Self.name] == claim.name && id != claim.id && !released.contains(id)
            }.keys.min()
            if let holder { clashes.append(nameClash(claim.position, holder)) }
        }
        return clashes.enumerated().sorted { ($0.1.position, $0.0) < ($1.1.position, $1.0) }.map(\.1)
    }

    private func nameClash(_ position: Int, _ holder: Int64) -> Clash {
        Clash(
            position: position, columns: [Self.name],
            kind: .notUnique(attribute: "name", holder: .integer(holder)))
    }

    /// The references to what is not there after the changes.
    func dangling(_ mutations: [Mutation], _ view: [Rows]) -> [Clash] {
        var clashes: [Clash] = []
        for target in [Self.grower, Self.plant] {
            var known = Set(view[target].keys)
            for mutation in mutations where mutation.entity == target {
                if mutation.isDeletion { known.remove(mutation.id) }
                if case .insert = mutation.change { known.insert(mutation.id) }
            }
            for (position, mutation) in mutations.enumerated() {
                for reference in Self.references
                where reference.target == target && reference.entity == mutation.entity {
                    guard let id = mutation.value(reference.column)?.number, !known.contains(id) else {
                        continue
                    }
                    let name =
                        mutation.entity == Self.link ? "fans" : Self.columns[Self.plant][reference.column]
                    clashes.append(
                        Clash(
                            position: position, columns: [reference.column],
                            kind: .targetNotFound(relationship: name, target: .integer(id))))
                }
            }
        }
        return clashes
    }
}
