public import LarderKernel

/// The rows of a list, read one after the other, and with them everything about the list but its items.
///
/// *Rule:* used on the thread of its block.
@usableFromInline
final class ListRows {
    private let context: BlockContext
    private let scan: RowScan
    private let tracked: TrackedCursor?
    private let idType: AttributeType
    private let keptDigests: Bool
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) private var identifiers: [AnyItemID] = []
    @exclusivity(unchecked) private var digests: [Int] = []
    @exclusivity(unchecked) private var sections: SectionRuns?

    init(_ scan: RowScan, _ sections: SectionRuns?, in context: BlockContext, keptDigests: Bool) {
        self.scan = scan
        self.sections = sections
        self.context = context
        self.keptDigests = keptDigests
        tracked = scan.cursor as? TrackedCursor
        idType = scan.schema.attributes[0].type
    }

    /// The row that ``next()`` has found.
    @usableFromInline var row: RowReader { scan.row }

    @usableFromInline
    func next() throws(DataStoreError) -> Bool {
        guard try scan.next() else { return false }
        guard let identifier = AnyItemID(scan.cells[0], type: idType) else { throw row.undecodable(at: 0) }
        sections?.note(scan.cells, at: identifiers.count)
        identifiers.append(identifier)
        digests.append(tracked?.lastDigest ?? scan.digest)
        return true
    }

    @usableFromInline
    func close() {
        scan.close()
        context.keepsDigests = keptDigests
    }

    /// The identifiers, digests and sections of the rows that were read.
    @usableFromInline
    func makeShape() throws(DataStoreError) -> ListShape {
        guard let sections else {
            return ListShape(identifiers: identifiers, digests: digests, sections: [.whole])
        }
        let values = try sections.values()
        context.tracker?.note(values)
        return ListShape(
            identifiers: identifiers, digests: digests, sections: sections.sections(of: values))
    }
}

/// Rows that follow each other and have the same value, or lead to the same item with the value.
struct SectionRuns {
    private let sectioning: Names
    private let column: ReferenceLookup
    private let storage: AttributeType.Storage
    /// For each run, the value at which the way to the section's value starts.
    private var starts: [Constant] = []
    /// For each run, its first row.
    private var rows: [Int] = []

    /// The functions of a ``ListSectioning`` of any item type.
    struct Names {
        let name: @Sendable (Constant) -> String
        let indexTitle: @Sendable (String) -> String?
    }

    /// - Parameter storage: The storage of the column at which the way to the value starts.
    init(_ names: Names, _ column: ReferenceLookup, startingWith storage: AttributeType.Storage) {
        sectioning = names
        self.column = column
        self.storage = storage
    }

    mutating func note(_ cells: UnsafePointer<Cell>, at row: Int) {
        let cell = cells[column.start]
        if let last = starts.last, last.isSame(as: cell) { return }
        starts.append(Constant(cell, storage: storage))
        rows.append(row)
    }

    /// The value of each run.
    func values() throws(DataStoreError) -> [Constant] {
        var values: [Constant] = []
        for part in starts.chunks(ofCount: BatchLookup.batchCount) {
            values += try column.values(for: Array(part))
        }
        return values
    }

    func sections(of values: [Constant]) -> [ListShape.Section] {
        var sections: [ListShape.Section] = []
        for (value, row) in zip(values, rows) where sections.last?.value != value {
            let name = sectioning.name(value)
            sections.append(
                ListShape.Section(
                    value: value, name: name, indexTitle: sectioning.indexTitle(name), start: row))
        }
        return sections
    }
}

extension BlockContext {
    /// Begins to read the items of a list.
    @usableFromInline
    func listRows<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, _ sectioning: ListSectioning<Item>?
    ) throws(DataStoreError) -> ListRows {
        var request = request
        var sections: SectionRuns?
        if let sectioning {
            let names = SectionRuns.Names(name: sectioning.name, indexTitle: sectioning.indexTitle)
            sections = try sectionRuns(names, sectioning.place, of: try number(of: Item.self))
            // Sections do not belong to the order in which the window counts.
            try fixWindow(of: &request)
            request.core.order = sectioning.place.leading(request.core.order)
        }
        let kept = keepsDigests
        keepsDigests = true
        do {
            // In batches, if related items are read too.
            let scan = try rows(of: request, prefetching: 1000)
            return ListRows(scan, sections, in: self, keptDigests: kept)
        } catch {
            keepsDigests = kept
            throw error
        }
    }

    private func sectionRuns(
        _ names: SectionRuns.Names, _ place: AttributePlace, of entity: Int
    ) throws(DataStoreError) -> SectionRuns {
        let term = try RelatedOrder.Term(
            OrderTerm(place, isAscending: true), of: entity, in: schema, through: "A section")
        // An observation follows the value already, as the order of the plan begins with it.
        let column = try withSnapshot { snapshot in
            ReferenceLookup(term.term.column, behind: term.path, of: entity, in: schema, snapshot)
        }
        return SectionRuns(
            names, column, startingWith: schema.entities[entity].storage(ofColumn: column.start))
    }
}
