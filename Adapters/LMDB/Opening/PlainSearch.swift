import LarderKernel

/// Finds an entry in a tree of the file by plain reads, within bounds that no damage can leave.
///
/// *Rule:* keys are text of plain ASCII, which is what Larder uses here. *Cost:* one read for each level.
struct PlainSearch {
    let file: CheckedFile
    let pageBytes: Int

    /// The result of a search.
    enum Outcome {
        case value([UInt8])
        case table(TreeRecord)
        case nothing
    }

    /// The entry of a key in a tree.
    func entry(at key: String, in tree: TreeRecord) throws(Failure) -> Outcome {
        guard !tree.isEmpty, (1...TreeRecord.greatestDepth).contains(tree.depth) else { return .nothing }
        var number = tree.root
        for level in 1..<tree.depth {
            let page = try page(number, isLeaf: false)
            // The first key of a branch stands for everything that comes before the second.
            let position = page.nodes.dropFirst().lastIndex { !isAfter(key, page.key(of: $0)) } ?? 0
            guard level < tree.depth, position < page.nodes.count else { return .nothing }
            number = page.nodes[position].child
        }
        let page = try page(number, isLeaf: true)
        guard let node = page.nodes.first(where: { text(of: page.key(of: $0)) == key }) else {
            return .nothing
        }
        return outcome(of: node, on: page)
    }

    private func outcome(of node: Node, on page: TreePage) -> Outcome {
        let start = page.valueOffset(of: node)
        if node.flags & Node.isTable != 0 {
            return TreeRecord(page.bytes, at: start).map(Outcome.table) ?? .nothing
        }
        guard node.flags == 0, page.bytes.contains(start, node.valueBytes) else { return .nothing }
        return .value((0..<node.valueBytes).compactMap { page.bytes.load(UInt8.self, at: start + $0) })
    }

    /// True if a key of the page comes after the wanted one.
    private func isAfter(_ key: String, _ other: Key) -> Bool {
        key.utf8.lexicographicallyPrecedes(text(of: other).utf8)
    }

    private func text(of key: Key) -> String {
        key.page.text(at: key.offset, key.count) ?? ""
    }

    private func page(_ number: UInt64, isLeaf: Bool) throws(Failure) -> TreePage {
        var bytes = PageBytes(capacity: pageBytes)
        let (offset, overflow) = number.multipliedReportingOverflow(by: UInt64(pageBytes))
        guard !overflow else { throw .defect(Defect("Page \(number) is outside of the file.")) }
        do throws(DataStoreError) {
            try file.read(into: &bytes, at: offset)
        } catch {
            throw .reading(error)
        }
        var tiling = NodeTiling(pageBytes: pageBytes)
        do throws(Defect) {
            return try TreePage(bytes, number: number, isLeaf: isLeaf, tiling: &tiling)
        } catch {
            throw .defect(Defect("Page \(number) \(error.sentence)."))
        }
    }

    /// The reason why a search cannot continue.
    enum Failure: Error {
        case defect(Defect)
        case reading(DataStoreError)
    }
}
