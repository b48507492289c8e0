import Foundation

/// The readable table: one line per contender, one group per workload.
struct TableReport {
    private static let header = [
        "workload", "contender", "median/op", "spread", "x raw", "x faster than GRDB", "target", "verdict",
    ]

    let results: [WorkloadResult]

    var text: String { table.text }

    /// The same for a page of the documentation.
    var markdown: String { table.markdown }

    /// "91 of 104 targets hold", and those that do not.
    var summary: String {
        let judgements = results.flatMap(\.judgements)
        let missed = results.flatMap { result in
            result.missedTargets.map { judgement in
                let unit = result.workload.unit
                let figure = judgement.text(in: unit)
                let target = judgement.target
                return
                    "  \(result.workload.title): \(target.contender.rawValue) \(figure), \(target.text(in: unit))"
            }
        }
        let count = "\(judgements.count - missed.count) of \(judgements.count) targets hold"
        return ([missed.isEmpty ? count : count + "; short are:"] + missed).joined(separator: "\n")
    }

    private var table: TextTable {
        var table = TextTable(header: Self.header, textColumns: [0, 1, 6, 7])
        for result in results {
            for (index, contender) in result.contenders.enumerated() {
                table.append(line(of: contender, in: result, isFirst: index == 0), startsGroup: index == 0)
            }
        }
        return table
    }

    private func line(of contender: ContenderName, in result: WorkloadResult, isFirst: Bool) -> [String] {
        let unit = result.workload.unit
        let samples = result.samples(of: contender)
        let judgements = result.judgements(of: contender)
        return [
            isFirst ? result.workload.title : "",
            contender.rawValue,
            samples.map { unit.text($0.median) } ?? "-",
            samples.map { String(format: "%.0f %%", $0.spread * 100) } ?? "-",
            factorText(result.ratio(of: contender, to: contender.rawEngine)),
            factorText(result.ratio(of: .grdb, to: contender)),
            judgements.isEmpty ? "-" : judgements.map { $0.target.text(in: unit) }.joined(separator: ", "),
            verdict(judgements, in: unit),
        ]
    }

    private func verdict(_ judgements: [Judgement], in unit: Unit) -> String {
        guard !judgements.isEmpty else { return "-" }
        let short = judgements.filter { !$0.holds }.map { judgement in
            [judgement.target.baseline?.shortName, judgement.text(in: unit)].compactMap { $0 }.joined(
                separator: " ")
        }
        return short.isEmpty ? "holds" : "short: " + short.joined(separator: ", ")
    }
}
