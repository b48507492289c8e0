/// Lines of cells in aligned columns, with a rule before each group.
struct TextTable {
    private let textColumns: Set<Int>
    private var lines: [[String]]
    private var groupStarts: Set<Int> = []

    /// Numbers are aligned to the right; `textColumns` to the left.
    init(header: [String], textColumns: Set<Int>) {
        self.textColumns = textColumns
        lines = [header]
    }

    mutating func append(_ cells: [String], startsGroup: Bool) {
        if startsGroup {
            groupStarts.insert(lines.count)
        }
        lines.append(cells)
    }

    var text: String {
        let widths = (lines.first ?? []).indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        return lines.enumerated().map { index, cells in
            let padded = zip(cells, widths).enumerated().map { pad($1.0, to: $1.1, column: $0) }
            let line = padded.joined(separator: "  ")
            return groupStarts.contains(index) ? "\(rule)\n\(line)" : line
        }
        .joined(separator: "\n")
    }

    var markdown: String {
        guard let header = lines.first else { return "" }
        let rule = header.indices.map { textColumns.contains($0) ? "---" : "---:" }
        return ([header, rule] + lines.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    private func pad(_ cell: String, to width: Int, column: Int) -> String {
        let space = String(repeating: " ", count: width - cell.count)
        return textColumns.contains(column) ? cell + space : space + cell
    }
}
