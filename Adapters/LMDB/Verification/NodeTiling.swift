/// Checks that the nodes of a page cover it from their lowest byte to its end, without gap or overlap.
///
/// LMDB closes every gap when it changes a page. *Cost:* one step a node.
struct NodeTiling {
    /// For each pair of bytes, how many pairs the node has that begins there.
    private var lengths: [UInt16]

    init(pageBytes: Int) {
        lengths = [UInt16](repeating: 0, count: max(0, pageBytes / 2))
    }

    /// - Parameter upper: The offset of the lowest node.
    mutating func check(_ nodes: [Node], from upper: Int) throws(Defect) {
        do throws(Defect) {
            for node in nodes { try place(node, from: upper) }
            try requireCovered(from: upper, nodes.count)
        } catch {
            lengths = [UInt16](repeating: 0, count: lengths.count)
            throw error
        }
    }

    private mutating func place(_ node: Node, from upper: Int) throws(Defect) {
        let (place, length) = (node.offset / 2, (node.byteCount + 1) / 2)
        guard node.offset % 2 == 0, node.offset >= upper, length <= lengths.count - place else {
            throw Defect("has a node at \(node.offset), outside of its room")
        }
        guard lengths[place] == 0 else {
            throw Defect("has two nodes at \(node.offset)")
        }
        lengths[place] = UInt16(length)
    }

    /// Goes from node to node, and leaves all lengths at zero for the next page.
    private mutating func requireCovered(from upper: Int, _ count: Int) throws(Defect) {
        var place = upper / 2
        var met = 0
        while place < lengths.count, lengths[place] > 0 {
            let length = Int(lengths[place])
            lengths[place] = 0
            place += length
            met += 1
        }
        guard place == lengths.count, met == count else {
            throw Defect("has nodes that overlap or leave a gap at \(place * 2)")
        }
    }
}
