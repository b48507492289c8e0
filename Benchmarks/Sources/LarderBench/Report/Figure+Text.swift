import Foundation

/// How figures are written in tables and pictures.
extension Unit {
    func text(_ figure: Double) -> String {
        switch self {
        case .nanoseconds: Self.time(figure)
        case .bytes: Self.size(figure)
        case .times: factorText(figure) + " x"
        }
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<10_000: String(format: "%.0f ns", nanoseconds)
        case ..<10_000_000: String(format: "%.1f us", nanoseconds / 1000)
        default: String(format: "%.1f ms", nanoseconds / 1_000_000)
        }
    }

    private static func size(_ bytes: Double) -> String {
        bytes < 10_000 ? String(format: "%.1f B", bytes) : String(format: "%.1f MB", bytes / Double(1 << 20))
    }
}

func factorText(_ factor: Double?) -> String {
    factor.map { String(format: "%.2f", $0) } ?? "-"
}

extension Target {
    /// The bound and whose figure it counts in: "<= 1.15 raw".
    func text(in unit: Unit) -> String {
        let text =
            switch (comparison, baseline) {
            case (.atMostMore, _), (_, nil): unit.text(bound)
            case (.atMost, _), (.atLeast, _): String(format: "%.3g", bound)
            }
        return [comparison.rawValue, text, baseline?.shortName].compactMap { $0 }.joined(separator: " ")
    }
}

extension Judgement {
    /// The figure as the target counts it.
    func text(in unit: Unit) -> String {
        switch (target.comparison, target.baseline) {
        case (.atMostMore, _), (_, nil): unit.text(figure)
        case (.atMost, _), (.atLeast, _): factorText(figure)
        }
    }
}
