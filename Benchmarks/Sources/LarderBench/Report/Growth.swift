/// The results of some workloads at several sizes: one line per contender, one column per size.
struct Growth {
    let workloads: [any Workload]
    /// Ascending.
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
        let columns = sizes.map { "\($0)" } + ["growth from \(sizes[base])", "x raw's growth"]
        var table = TextTable(header: ["workload", "contender"] + columns, textColumns: [0, 1])
        for (index, workload) in workloads.enumerated() {
            for (position, contender) in (results.first?[index].contenders ?? []).enumerated() {
                let names = [position == 0 ? workload.title : "", contender.rawValue]
                table.append(names + cells(of: contender, in: index), startsGroup: position == 0)
            }
        }
        return table.text
    }

    private func cells(of contender: ContenderName, in workload: Int) -> [String] {
        let unit = workloads[workload].unit
        let raw = contender.rawEngine
        let own = growth(of: contender, in: workload)
        let ofRaw = contender == raw ? nil : growth(of: raw, in: workload)
        let relative = own.flatMap { own in ofRaw.map { own / $0 } }
        return medians(of: contender, in: workload).map { unit.text($0) } + [
            factorText(own), factorText(relative),
        ]
    }

    private func medians(of contender: ContenderName, in workload: Int) -> [Double] {
        results.map { $0[workload].samples(of: contender)?.median ?? .nan }
    }

    /// Below ten thousand items everything lies in the processor's caches, which no store can grow like.
    private var base: Int { sizes.firstIndex { $0 >= 10_000 } ?? 0 }

    /// How many times the figure at the base that of the largest size is.
    private func growth(of contender: ContenderName, in workload: Int) -> Double? {
        let medians = medians(of: contender, in: workload)
        guard let last = medians.last, medians[base] > 0 else { return nil }
        return last / medians[base]
    }
}
