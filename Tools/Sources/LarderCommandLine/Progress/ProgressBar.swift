/// One line with a bar; what has no room is left out, the least needed first.
struct ProgressBar: Sendable {
    let text: String

    init(_ figures: ProgressFigures, width: Int) {
        let percent = figures.percent.map { "\($0) %" }
        var parts = [percent, figures.countText, figures.rateText, figures.timeLeftText].compactMap { $0 }
        var line = Self.line(figures, parts, width: width)
        while DisplayWidth.of(line) > width, parts.count > 1 {
            parts.removeLast()
            line = Self.line(figures, parts, width: width)
        }
        text = DisplayWidth.cut(line, to: width)
    }

    private static func line(_ figures: ProgressFigures, _ parts: [String], width: Int) -> String {
        let words = parts.joined(separator: "  ")
        let room = width - DisplayWidth.of(figures.task) - DisplayWidth.of(words) - 6
        guard let percent = figures.percent, room >= 6 else { return "\(figures.task)  \(words)" }
        let cells = min(room, 30)
        let filled = percent * cells / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        return "\(figures.task)  [\(bar)]  \(words)"
    }
}
