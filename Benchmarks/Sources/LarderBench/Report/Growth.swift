/// The results of some workloads at several sizes: one line per contender, one column per size.
struct Growth {
    let workloads: [any Workload]
    let sizes: [Int]
    /// One element per size, in each one result per workload.
    private var results: [[WorkloadResult]] = []

    init(workloads: [any Workload], sizes: [Int]) {
        self.workloads = workloads
        self.sizes = sizes
    }

    mutating func append(_ resultsOfSize: [WorkloadResult]) {
        results.append(resultsOfSize)
    }

    var text: String {
        let header = ["workload", "contender"] + sizes.map { "\($0)" } + ["growth", "x raw's growth"]
        var table = TextTable(header: header, textColumns: [0, 1])
        for (index, workload) in workloads.enumerated() {
            for (position, contender) in (results.first?[index].contenders ?? []).enumerated() {
                let medians = medians(of: contender, in: index)
                let cells = medians.map { workload.unit.text($0) }
                table.append(
                    [position == 0 ? workload.title : "", contender.rawValue] + cells
                        + [
                            factorText(growth(of: contender, in: index)),
                            relativeGrowth(of: contender, in: index),
                        ],
                    startsGroup: position == 0)
            }
        }
        return table.text
    }

    private func medians(of contender: ContenderName, in workload: Int) -> [Double] {
        results.map { $0[workload].samples(of: contender)?.median ?? .nan }
    }

    /// How many times the figure of the smallest size that of the largest is.
    private func growth(of contender: ContenderName, in workload: Int) -> Double? {
        let medians = medians(of: contender, in: workload)
        guard let first = medians.first, let last = medians.last, first > 0 else { return nil }
        return last / first
    }

    private func relativeGrowth(of contender: ContenderName, in workload: Int) -> String {
        guard contender != contender.rawEngine, let own = growth(of: contender, in: workload),
            let raw = growth(of: contender.rawEngine, in: workload)
        else { return "-" }
        return factorText(own / raw)
    }
}
