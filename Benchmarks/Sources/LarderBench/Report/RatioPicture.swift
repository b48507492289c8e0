/// Bars of the figures relative to their bounds, one for each target: what ends left of the line holds.
struct RatioPicture {
    private static let barHeight = 14
    private static let lineHeight = 18
    private static let labelWidth = 560
    private static let unitWidth = 160.0
    /// Longer bars are cut here.
    private static let longest = 3.0

    let results: [WorkloadResult]

    var svg: String {
        let bars = results.flatMap { result in
            result.judgements.map { Bar(judgement: $0, workload: result.workload) }
        }
        let height = (bars.count + 2) * Self.lineHeight
        let width = Self.labelWidth + Int(Self.unitWidth * Self.longest) + 100
        let bound = Self.labelWidth + Int(Self.unitWidth)
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            font-family="sans-serif" font-size="12">
            <rect width="\(width)" height="\(height)" fill="white"/>
            <text x="\(bound)" y="14" text-anchor="middle">target</text>
            """
        let lines = bars.enumerated().map { line(of: $1, top: ($0 + 1) * Self.lineHeight) }
        let rule = "<path d=\"M\(bound) 18V\(height)\" stroke=\"black\"/>"
        return ([head] + lines + [rule, "</svg>"]).joined(separator: "\n") + "\n"
    }

    private func line(of bar: Bar, top: Int) -> String {
        let length = Int(min(bar.share, Self.longest) * Self.unitWidth)
        let text = top + Self.barHeight - 3
        let colour = bar.holds ? "#3a7d44" : "#b3392f"
        return """
            <text x="\(Self.labelWidth - 6)" y="\(text)" text-anchor="end">\(bar.label)</text>
            <rect x="\(Self.labelWidth)" y="\(top)" width="\(length)" height="\(Self.barHeight)" fill="\(colour)"/>
            <text x="\(Self.labelWidth + length + 5)" y="\(text)">\(bar.figure)</text>
            """
    }
}

/// One bar: how much of what its target allows is used.
private struct Bar {
    let label: String
    let figure: String
    let share: Double
    let holds: Bool

    init(judgement: Judgement, workload: any Workload) {
        let target = judgement.target
        label = Self.escaped(
            "\(workload.title): \(target.contender.rawValue) \(target.text(in: workload.unit))")
        figure = judgement.text(in: workload.unit)
        holds = judgement.holds
        share =
            target.comparison == .atLeast
            ? target.bound / judgement.figure : max(0, judgement.figure / target.bound)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
