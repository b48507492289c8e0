/// One line with a bar, of the same width and with every part in the same place from 0 to 100 %.
///
/// Parts that do not fit are left out, the least needed first.
struct ProgressBar: Sendable {
    let text: String

    /// The length of the longest names of tasks.
    private static let taskWidth = 10
    private static let cells = (least: 10, most: 30)

    init(_ figures: ProgressFigures, width: Int) {
        let task = Self.padded(figures.task, Self.taskWidth)
        guard let percent = figures.percent else {
            let words = [figures.countText, figures.elapsedText].compactMap { $0 }
            text = DisplayWidth.cut(([task] + words).joined(separator: "  "), to: width)
            return
        }
        // Only the width and the total decide which parts are shown, so that none comes and goes.
        var parts = Self.parts(figures)
        while parts.count > 1, Self.room(beside: parts, width) < Self.cells.least { parts.removeLast() }
        let words = parts.map {
            $0.isRight ? Self.indented($0.text, $0.width) : Self.padded($0.text, $0.width)
        }
        let room = Self.room(beside: parts, width)
        let bar = room < Self.cells.least ? [] : [Self.bar(percent, min(room, Self.cells.most))]
        text = DisplayWidth.cut(([task] + bar + words).joined(separator: "  "), to: width)
    }

    private typealias Part = (text: String, width: Int, isRight: Bool)

    /// The texts beside the bar, and the fixed width of each.
    private static func parts(_ figures: ProgressFigures) -> [Part] {
        let count = figures.countText ?? ""
        let whole = ProgressFigures(task: "", done: figures.total ?? 0, total: figures.total).countText ?? ""
        return [
            ("\(figures.percent ?? 0) %", "100 %".count, true), (count, whole.count, true),
            (figures.rateText ?? "", "1,000,000/s".count, true),
            (figures.timeLeftText ?? "", "59 min 59 s left".count, false),
        ]
    }

    /// The number of cells that remain for a bar beside some parts.
    private static func room(beside parts: [Part], _ width: Int) -> Int {
        width - taskWidth - parts.reduce(0) { $0 + $1.width + 2 } - "  []".count
    }

    private static func bar(_ percent: Int, _ cells: Int) -> String {
        let filled = percent * cells / 100
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
            + "]"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func indented(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
