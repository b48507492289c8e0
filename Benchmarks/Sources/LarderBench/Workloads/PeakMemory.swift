/// The most memory a process of its own takes that fills a store, asks it and changes it.
struct PeakMemory: Workload {
    private static let megabyte = Double(1 << 20)

    var name: String { "peak-memory" }
    var title: String { "peak memory of a process" }
    var unit: Unit { .bytes }
    var contenders: Set<ContenderName> { .rawAndLarder }
    var targets: [Target] {
        [
            .atMost(plus: 4 * Self.megabyte, over: .rawSQLite, by: .larderSQLite),
            .atMost(plus: 4 * Self.megabyte, over: .rawLMDB, by: .larderLMDB),
        ]
    }

    func rounds(inRunOf rounds: Int) -> Int { min(rounds, 3) }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session {
        MemorySession(contender, setting, task: .everything)
    }
}

/// The most memory that walking through a store of its own takes beyond what it took before.
struct StreamMemory: Workload {
    var name: String { "stream-memory" }
    var title: String { "memory of a streamed scan" }
    var unit: Unit { .bytes }
    var contenders: Set<ContenderName> { .rawAndLarder }
    var targets: [Target] { [] }

    func rounds(inRunOf rounds: Int) -> Int { 1 }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session {
        MemorySession(contender, setting, task: .stream)
    }
}
