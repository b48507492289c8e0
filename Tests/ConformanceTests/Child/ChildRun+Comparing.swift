import Larder
import LarderConformance

@testable import AdapterTestSupport

extension ChildRun {
    /// Compares what a store shows and has staged.
    func compare(_ number: Int) throws {
        try store(number).read { try compareContents(number, $0) }
        guard let child = try store(number) as? ChildDataStore else { return }
        let expected = model.stagedText(number)
        try compare(try child.stagedChanges.description, expected, "staged in \(number)")
        try compare(child.hasChanges, !expected.isEmpty, "changes in \(number)")
    }

    func compareContents(_ number: Int, _ accessor: DataStoreReadAccessor) throws {
        let view = model.view(number)
        let growers = view[ChildModel.grower].sorted { $0.key < $1.key }.map(\.value)
        let plants = view[ChildModel.plant].sorted { $0.key < $1.key }.map { Plant($0.value) }
        try compare(try accessor.items(for: Grower.all).map(\.row), growers, "growers of \(number)")
        try compare(try accessor.items(for: Plant.all).map(\.row), plants.map(\.row), "plants of \(number)")
        var stored: ChildModel.Rows = [:]
        try links.forEach(accessor) { stored[$0] = [.number($0), .number($1), .number($2)] }
        try compare(stored, view[ChildModel.link], "links of \(number)")
        try compareRequests(number, accessor, view, plants)
    }

    /// Windows, counts and filters through both kinds of relationships.
    private func compareRequests(
        _ number: Int, _ accessor: DataStoreReadAccessor, _ view: [ChildModel.Rows], _ plants: [Plant]
    ) throws {
        let size = Int64(generator.number(below: 5))
        let (offset, limit) = (generator.number(below: 6), generator.number(below: 8))
        let isAscending = generator.oneIn(2)
        var filter = Filter<Plant>.always(true)
        var matching = plants
        switch generator.number(below: 4) {
        case 0: break
        case 1:
            (filter, matching) = (\.size >= size, plants.filter { $0.size >= size })
        case 2:
            let ids = Set(view[ChildModel.grower].filter { $0.value[2] == .number(size) }.keys)
            (filter, matching) = (\.owner.score == size, plants.filter { ids.contains($0.owner.id) })
        default:
            let fans = Set(view[ChildModel.grower].filter { $0.value[2] == .number(size) }.keys)
            let ids = Set(
                view[ChildModel.link].values.filter { $0[2].number.map(fans.contains) ?? false }
                    .compactMap { $0[1].number })
            (filter, matching) = (.any(\.fans, \.score == size), plants.filter { ids.contains($0.id) })
        }
        let request = Plant.where(filter).sorted(by: \.size, isAscending ? .ascending : .descending)
            .sorted(by: \.id)
        matching.sort {
            ($0.size == $1.size) ? $0.id < $1.id : ($0.size < $1.size) == isAscending
        }
        let window = Array(matching.dropFirst(offset).prefix(limit))
        let what = "\(request) of \(number)"
        try compare(
            try accessor.items(for: request.offset(offset).limit(limit)).map(\.row), window.map(\.row),
            what)
        try compare(try accessor.countItems(for: request), matching.count, "number of \(what)")
        try compare(
            try accessor.countItems(for: request.offset(offset).limit(limit)), window.count,
            "number in the window of \(what)")
    }
}

// MARK: Outcomes of merges

extension ChildRun {
    /// - Parameter changed: The model after the merge.
    func compare(
        _ found: ChildModel.Outcome, _ expected: ChildModel.Outcome, _ what: String, _ changed: ChildModel,
        _ parent: Int
    ) throws {
        try compare(found.inAnyOrder, expected.inAnyOrder, what)
        if !found.conflicts.isEmpty { return }
        for case .targetNotFound(let name, .integer(let target)) in found.settled.map(\.kind) {
            let isMissing = [ChildModel.grower, ChildModel.plant].contains { entity in
                changed.row(entity, target, at: parent) == nil
                    && (entity == ChildModel.grower || name == "fans")
            }
            try compare(isMissing, true, "\(target), which \(name) of a \(what) misses, is gone")
        }
    }
}

extension ChildModel.Outcome {
    /// The same, whichever of several missing targets is found first.
    ///
    /// Once a row is left out for one of them, the policy need not be asked about the others.
    fileprivate var inAnyOrder: ChildModel.Outcome {
        var plants: Set<AnyItemID> = []
        var outcome = self
        outcome.settled = settled.compactMap { conflict in
            guard case .targetNotFound(let name, _) = conflict.kind else { return conflict }
            if name != "fans", !plants.insert(conflict.identifier).inserted { return nil }
            let kind = MergeConflict.Kind.targetNotFound(
                relationship: name == "fans" ? name : "owner or helper", target: .integer(0))
            return ChildModel.Conflict(
                itemType: conflict.itemType, identifier: conflict.identifier, kind: kind)
        }
        return outcome.sorted
    }
}

// MARK: Items of the model

extension Grower {
    init(_ row: ChildModel.Row) {
        let name = if case .text(let name) = row[1] { name } else { "" }
        self.init(row[0].number ?? 0, name, score: row[2].number ?? 0)
    }

    fileprivate var row: ChildModel.Row { [.number(id), .text(name), .number(score)] }
}

extension Plant {
    init(_ row: ChildModel.Row) {
        self.init(
            row[0].number ?? 0, size: row[1].number ?? 0, weight: row[2].number ?? 0,
            of: row[3].number ?? 0, helpedBy: row[4].number)
    }

    fileprivate var row: ChildModel.Row {
        [.number(id), .number(size), .number(weight), .number(owner.id), ChildModel.Value(helper?.id)]
    }
}

extension ChildModel.Conflict {
    init(_ conflict: MergeConflict) {
        var kind = conflict.kind
        if case .deletionDenied = kind { kind = .deletionDenied(reason: "") }
        self.init(itemType: conflict.itemType, identifier: conflict.identifier, kind: kind)
    }
}

extension ChildModel.Outcome {
    init(_ result: MergeResult) {
        self.init(
            settled: result.settled.map(ChildModel.Conflict.init),
            conflicts: result.conflicts.map(ChildModel.Conflict.init),
            counts: [result.inserted, result.updated, result.deleted])
        self = sorted
    }
}

// MARK: Staged changes

extension ChildModel {
    /// The description of what a child has staged.
    func stagedText(_ number: Int) -> String {
        guard let level = levels[number] else { return "" }
        var lines: [String] = []
        for entity in [Self.grower, Self.plant] {
            for (id, base) in level.bases[entity].sorted(by: { $0.key < $1.key }) {
                let title = "\(Self.names[entity]) \(id)"
                switch (base.row, level.rows[entity][id]) {
                case (nil, nil): continue
                case (nil, _?): lines.append("inserted \(title)")
                case (_?, nil): lines.append("deleted \(title)")
                case (let old?, let new?):
                    let values = old.indices.filter { old[$0] != new[$0] }.map {
                        "\(Self.columns[entity][$0]) \(old[$0]) -> \(new[$0])"
                    }
                    if !values.isEmpty { lines.append("updated \(title): \(values.joined(separator: ", "))") }
                }
            }
        }
        // A link that was removed and added again is the same one.
        let links = level.rows[Self.link].values.map { Array($0[1...]) }
        let removed = level.bases[Self.link].values.compactMap { $0.row.map { Array($0[1...]) } }
        // And so is one that the parent has added again before the child removed it once more.
        var told: Set<Row> = []
        for isNew in [true, false] {
            for (id, base) in level.bases[Self.link].sorted(by: { $0.key < $1.key }) {
                guard (base.row == nil) == isNew, (level.rows[Self.link][id] != nil) == isNew,
                    let row = base.row ?? level.rows[Self.link][id],
                    !(isNew ? removed : links).contains(Array(row[1...]))
                else { continue }
                if !isNew, !told.insert(Array(row[1...])).inserted { continue }
                let word = isNew ? "linked" : "unlinked"
                lines.append("\(word) Plant.fans: \(row[1]) - \(row[2])")
            }
        }
        return lines.joined(separator: "\n")
    }
}
