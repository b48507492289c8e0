import Larder

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderObservation

/// A list as plain arrays.
struct ListModel: Equatable, CustomStringConvertible {
    struct Section: Equatable {
        let value: Int
        var notes: [RankedNote]

        static func == (left: Section, right: Section) -> Bool {
            left.value == right.value
                && left.notes.map { [$0.id, $0.rank] } == right.notes.map { [$0.id, $0.rank] }
        }
    }

    var sections: [Section]
    /// Marks the names of the sections.
    var mark = "A"

    init(_ sections: [(Int, [RankedNote])], mark: String = "A") {
        self.sections = sections.map { Section(value: $0, notes: $1) }
        self.mark = mark
    }

    /// The model of a list made by ``list``.
    init?(_ list: ItemList<RankedNote>?) {
        guard let list else { return nil }
        sections = list.sections.map { Section(value: Int($0.value(as: Int64.self) ?? 0), notes: Array($0)) }
        mark = list.sections.first.map { String($0.name.prefix(1)) } ?? "A"
    }

    /// Up to nine notes in up to four sections.
    init(using random: inout Seed) {
        let ids = Array(0..<9 as Range<Int64>).shuffled(using: &random).prefix(random.number(below: 10))
        sections = []
        for value in [1, 2, 3, 4].shuffled(using: &random).prefix(1 + random.number(below: 4)) {
            sections.append(Section(value: value, notes: []))
        }
        for id in ids {
            var note = RankedNote(id)
            note.rank = Int64(random.number(below: 2))
            sections[random.number(below: sections.count)].notes.append(note)
        }
        sections.removeAll(where: \.notes.isEmpty)
        mark = random.oneIn(4) ? "B" : "A"
    }

    static func == (left: ListModel, right: ListModel) -> Bool {
        left.sections == right.sections && left.names == right.names
    }

    /// The model after one to three small edits.
    func edited(using random: inout Seed) -> ListModel {
        var edited = self
        for _ in 0...random.number(below: 3) {
            guard let section = edited.sections.indices.randomElement(using: &random),
                let item = edited.sections[section].notes.indices.randomElement(using: &random)
            else { return edited }
            switch random.number(below: 4) {
            case 0: edited.sections[section].notes.remove(at: item)
            case 1: edited.sections[section].notes[item].rank += 1
            case 2:
                let note = edited.sections[section].notes.remove(at: item)
                let other = random.number(below: edited.sections.count)
                let place = random.number(below: edited.sections[other].notes.count + 1)
                edited.sections[other].notes.insert(note, at: place)
            default:
                edited.sections[section].notes.insert(
                    RankedNote(100 + Int64(random.number(below: 1000))), at: item)
            }
            edited.sections.removeAll(where: \.notes.isEmpty)
        }
        let ids = edited.sections.flatMap(\.notes).map(\.id)
        return Set(ids).count == ids.count ? edited : self
    }

    var names: [String] { sections.map { "\(mark)\($0.value)" } }

    var rows: [[Int64]] { sections.map { $0.notes.map(\.rank) } }

    var description: String {
        sections.map {
            "\(mark)\($0.value)[\($0.notes.map { "\($0.id):\($0.rank)" }.joined(separator: " "))]"
        }
        .joined(separator: " ")
    }

    var list: ItemList<RankedNote> {
        var made: [ListShape.Section] = []
        var notes: [RankedNote] = []
        for (section, name) in zip(sections, names) {
            made.append(
                ListShape.Section(
                    value: .integer(Int64(section.value)), name: name, indexTitle: mark, start: notes.count))
            notes += section.notes
        }
        let shape = ListShape(
            identifiers: notes.map { .integer($0.id) }, digests: notes.map { Int($0.rank) }, sections: made)
        return ItemList(items: notes, shape: shape)
    }

    // MARK: What a change must be

    private var places: [Int64: (section: Int, note: RankedNote)] {
        var places: [Int64: (Int, RankedNote)] = [:]
        for section in sections { for note in section.notes { places[note.id] = (section.value, note) } }
        return places
    }

    /// The notes that are in both and differ.
    func changed(in other: ListModel) -> Set<Int64> {
        let (old, new) = (places, other.places)
        return Set(old.keys.filter { id in new[id].map { $0.note.rank != old[id]?.note.rank } ?? false })
    }

    /// The number of kept notes that cannot stay: those in another section, and in each section those outside
    /// the longest run.
    func fewestMoves(to other: ListModel) -> Int {
        let (old, new) = (places, other.places)
        let kept = old.keys.filter { new[$0] != nil }
        var moves = kept.filter { new[$0]?.section != old[$0]?.section }.count
        for section in other.sections {
            let before = sections.first { $0.value == section.value }?.notes.map(\.id) ?? []
            let order = section.notes.compactMap { before.firstIndex(of: $0.id) }
            moves += order.count - Self.longestRun(order)
        }
        return moves
    }

    func fewestSectionMoves(to other: ListModel) -> Int {
        let before = sections.map(\.value)
        let order = other.sections.compactMap { before.firstIndex(of: $0.value) }
        return order.count - Self.longestRun(order)
    }

    /// The length of the longest increasing subsequence, by trying all of them.
    static func longestRun(_ numbers: [Int]) -> Int {
        func longest(from start: Int, above bound: Int) -> Int {
            guard start < numbers.count else { return 0 }
            let without = longest(from: start + 1, above: bound)
            guard numbers[start] > bound else { return without }
            return max(without, 1 + longest(from: start + 1, above: numbers[start]))
        }
        return longest(from: 0, above: -1)
    }
}

/// The rows of a table view, to which the steps of a batch update are applied: what is deleted or leaves by
/// its old place from the back, then what comes by its new place from the front.
struct TableModel {
    private(set) var rows: [[Int64]]
    private var leavingRows: [ListPosition] = []
    private var leavingSections: [Int] = []
    private var comingSections: [Int: Int?] = [:]
    private var comingRows: [ListPosition: ListPosition?] = [:]
    private var reloadedRows: [ListPosition] = []
    private var moves: [ListMove<ListPosition>] = []
    /// The moves that a table view refuses: from a section that goes in the same batch, or to one that comes.
    private(set) var refusedMoves: [ListMove<ListPosition>] = []

    init(_ rows: [[Int64]]) {
        self.rows = rows
    }

    mutating func note(_ step: ListStep) {
        switch step {
        case .deleteSection(let section): leavingSections.append(section)
        case .insertSection(let section): comingSections[section] = .some(nil)
        case .moveSection(let move):
            leavingSections.append(move.from)
            comingSections[move.to] = move.from
        case .updateSection: return
        case .deleteItem(let position): leavingRows.append(position)
        case .insertItem(let position): comingRows[position] = .some(nil)
        case .moveItem(let move):
            leavingRows.append(move.from)
            comingRows[move.to] = move.from
            moves.append(move)
            if move.isUpdated { reloadedRows.append(move.to) }
        case .updateItem(let move): reloadedRows.append(move.to)
        }
    }

    /// - Parameter new: The rows that a data source gives for what is new.
    mutating func performUpdates(reading new: [[Int64]]) {
        let old = rows
        for row in leavingRows.sorted().reversed() { rows[row.section].remove(at: row.item) }
        let left = rows
        for section in leavingSections.sorted().reversed() { rows.remove(at: section) }
        let namesItsRows = Set(comingRows.keys.map(\.section))
        for (section, from) in comingSections.sorted(by: { $0.key < $1.key }) {
            // A table view asks for the rows of a section that is new, unless they are inserted one by one.
            let fresh = namesItsRows.contains(section) ? [] : new[section]
            rows.insert(from.map { left[$0] } ?? fresh, at: section)
        }
        for (row, from) in comingRows.sorted(by: { $0.key < $1.key }) {
            rows[row.section].insert(
                from.map { old[$0.section][$0.item] } ?? new[row.section][row.item], at: row.item)
        }
        for row in reloadedRows { rows[row.section][row.item] = new[row.section][row.item] }
        let refused = moves.filter {
            leavingSections.contains($0.from.section) || comingSections.keys.contains($0.to.section)
        }
        let all = refusedMoves + refused
        self = TableModel(rows)
        refusedMoves = all
    }
}
