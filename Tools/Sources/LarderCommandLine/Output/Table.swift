/// A table of texts that fits a width, if there is one to fit.
///
/// Widths come from the first rows, so that a table of any length is printed as rows arrive. In a terminal,
/// wide columns are made narrower until all fit, the widest first; if even that is not enough, columns on the
/// right are left out. Elsewhere nothing is ever cut.
struct Table: Sendable {
    /// No column is made narrower than this.
    static let narrowest = 6

    private static let gap = "  "

    let titles: [String]
    /// The width of each column that is shown.
    let widths: [Int]
    /// The columns that hold numbers, which are aligned to the right.
    private let areNumbers: [Bool]
    private let isCut: Bool
    private let paint: Paint

    /// - Parameters:
    ///   - titles: The headings of the columns.
    ///   - sample: The first rows, which decide the widths of the columns.
    ///   - width: The number of columns of the terminal, or nil if there is none.
    init(_ titles: [String], sample: [[OutputValue]], width: Int?, paint: Paint) {
        self.titles = titles.map(\.visible)
        self.paint = paint
        isCut = width != nil
        areNumbers = titles.indices.map { column in
            let values = sample.map { $0[column] }.filter { $0 != .null }
            return !values.isEmpty && values.allSatisfy(\.isNumber)
        }
        let wanted = self.titles.enumerated().map { column, title in
            sample.reduce(DisplayWidth.of(title)) { max($0, DisplayWidth.of($1[column].tableText)) }
        }
        widths = width.map { Self.fitting(wanted, into: $0) } ?? wanted
    }

    /// The number of columns that are not shown.
    var hiddenColumns: Int { titles.count - widths.count }

    /// The titles and the line under them.
    var head: String {
        let cells = widths.indices.map { padded(titles[$0], in: $0) }
        let rules = widths.map { String(repeating: "-", count: $0) }
        return paint(line(cells), .bold) + "\n" + paint(line(rules), .dim) + "\n"
    }

    func row(_ values: [OutputValue]) -> String {
        let cells = widths.indices.map { column in
            let cell = padded(values[column].tableText, in: column)
            return values[column] == .null ? paint(cell, .dim) : cell
        }
        return line(cells) + "\n"
    }

    private func padded(_ text: String, in column: Int) -> String {
        let width = widths[column]
        let text = isCut ? DisplayWidth.cut(text, to: width) : text
        let spaces = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        return areNumbers[column] ? spaces + text : text + spaces
    }

    private func line(_ cells: [String]) -> String {
        let line = cells.joined(separator: Self.gap)
        return String(
            line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
    }

    private static func fitting(_ wanted: [Int], into total: Int) -> [Int] {
        var shown = wanted.count
        while shown > 1, sum(wanted.prefix(shown).map { min($0, narrowest) }) > total { shown -= 1 }
        var widths = Array(wanted.prefix(shown))
        while sum(widths) > total, let widest = widths.max(), widest > 1 {
            let next = widths.filter { $0 < widest }.max() ?? 1
            let count = widths.count { $0 == widest }
            let excess = sum(widths) - total
            // All of the widest columns shrink together, to the next width or until the table fits.
            let narrower = max(next, widest - (excess + count - 1) / count)
            widths = widths.map { $0 == widest ? narrower : $0 }
        }
        return widths
    }

    private static func sum(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
    }
}
