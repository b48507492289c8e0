/// Sorted figures and what is reported of them.
struct Samples {
    private let sorted: [Double]

    init(_ values: some Sequence<Double>) {
        sorted = values.sorted()
    }

    var median: Double { quantile(0.5) }

    /// The distance between the quartiles as a share of the median.
    var spread: Double { median == 0 ? 0 : (quantile(0.75) - quantile(0.25)) / median }

    /// Interpolates between the two nearest figures; NaN when there is none.
    private func quantile(_ share: Double) -> Double {
        guard let last = sorted.last else { return .nan }
        let position = share * Double(sorted.count - 1)
        let lower = Int(position)
        let upper = lower + 1 < sorted.count ? sorted[lower + 1] : last
        return sorted[lower] + (upper - sorted[lower]) * (position - Double(lower))
    }
}
