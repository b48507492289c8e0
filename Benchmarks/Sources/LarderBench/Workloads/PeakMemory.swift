import Foundation

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
        ChildSession(contender, setting, task: .everything)
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
        ChildSession(contender, setting, task: .stream)
    }
}

/// Has a sample taken in a process of its own, by the hidden command `memory`.
private final class ChildSession: Session {
    let contender: ContenderName
    let operations = 1...1
    private let setting: Setting
    private let task: MemoryTask

    init(_ contender: ContenderName, _ setting: Setting, task: MemoryTask) {
        self.contender = contender
        self.setting = setting
        self.task = task
    }

    func prepare() {}

    func sample(operations: Int) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            "memory", task.rawValue, contender.rawValue, "--items", "\(setting.dataset.restaurants.count)",
            "--folder", try setting.folder.makeEmptyFolder().path,
        ]
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let bytes = Double(text) else {
            throw WrongAnswer(asked: "memory of \(contender.rawValue)", expected: "bytes", found: text)
        }
        return bytes
    }

    func close() {}
}
