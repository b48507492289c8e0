import Foundation

/// The readable table: one line per contender, one group per workload.
struct TableReport {
    private static let header = [
        "workload", "contender", "median/op", "spread", "x raw", "x faster than GRDB", "target", "verdict",
    ]

    let results: [WorkloadResult]

    var text: String {
        var table = TextTable(header: Self.header, textColumns: [0, 1, 6, 7])
        for result in results {
            for (index, contender) in result.contenders.enumerated() {
                table.append(line(of: contender, in: result, isFirst: index == 0), startsGroup: index == 0)
            }
        }
        return table.text
    }

    private func line(of contender: ContenderName, in result: WorkloadResult, isFirst: Bool) -> [String] {
        let samples = result.samples(of: contender)
        let targets = Target.targets(for: contender, in: result)
        return [
            isFirst ? result.workload.title : "",
            contender.rawValue,
            samples.map { time($0.median) } ?? "-",
            samples.map { String(format: "%.0f %%", $0.spread * 100) } ?? "-",
            factor(result.ratio(of: contender, to: contender.rawEngine)),
            factor(result.ratio(of: .grdb, to: contender)),
            targets.isEmpty ? "-" : targets.map(bound).joined(separator: ", "),
            verdict(on: targets, in: result),
        ]
    }

    private func time(_ nanoseconds: Double) -> String {
        nanoseconds < 10_000
            ? String(format: "%.0f ns", nanoseconds) : String(format: "%.1f us", nanoseconds / 1000)
    }

    private func factor(_ value: Double?) -> String {
        value.map { String(format: "%.2f", $0) } ?? "-"
    }

    private func bound(of target: Target) -> String {
        "\(target.comparison.rawValue) \(String(format: "%g", target.bound)) \(target.baseline.shortName)"
    }

    private func verdict(on targets: [Target], in result: WorkloadResult) -> String {
        guard !targets.isEmpty else { return "-" }
        let short = targets.compactMap { target -> String? in
            guard let figure = target.figure(in: result), !target.isHeld(by: figure) else { return nil }
            return "\(target.baseline.shortName) \(factor(figure))"
        }
        return short.isEmpty ? "holds" : "short: " + short.joined(separator: ", ")
    }
}

extension ContenderName {
    /// How the target column names a baseline.
    fileprivate var shortName: String {
        switch self {
        case .rawSQLite, .rawLMDB: "raw"
        case .rawSQLiteOwnDefaults: "defaults"
        case .rawSQLiteOneCommitEach, .rawLMDBOneCommitEach: "one commit each"
        case .grdb: "GRDB"
        case .larderSQLite: "Larder SQLite"
        case .larderLMDB: "Larder LMDB"
        case .larderMemory: "Larder memory"
        }
    }
}
