import ArgumentParser
import Foundation

extension UpgradeEngine: ExpressibleByArgument {}
extension UpgradeWork: ExpressibleByArgument {}

/// Run by `upgrade` in a process of its own; prints bytes.
struct UpgradeMemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade-memory", abstract: "Prints the memory that one upgrade takes.",
        shouldDisplay: false)

    @Argument var engine: UpgradeEngine
    @Argument(help: "raw, or how Larder upgrades the file.") var contender: String
    @Argument var work: UpgradeWork
    @Argument var file: String

    func run() throws {
        let place = UpgradePlace(rawValue: contender)
        let file = URL(filePath: file)
        let upgrading: any UpgradeContender =
            switch (place, engine) {
            case (let place?, _): LarderUpgrade(original: file, engine: engine, place: place)
            case (nil, .sqlite): RawSQLiteUpgrade(original: file)
            case (nil, .lmdb): RawLMDBUpgrade(original: file)
            }
        let watch = MemoryWatch()
        try upgrading.upgrade(file, by: work)
        print(watch.stop())
    }

    /// Runs the command and returns the bytes.
    static func run(
        _ engine: UpgradeEngine, _ place: UpgradePlace?, _ work: UpgradeWork, on file: URL
    ) throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            "upgrade-memory", engine.rawValue, place?.rawValue ?? "raw", work.rawValue, file.path,
        ]
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let bytes = Int(text) else {
            throw WrongAnswer(asked: "memory of an upgrade", expected: "bytes", found: text)
        }
        return bytes
    }
}

/// Looks every millisecond how much memory of its own the process has; pages of mapped files do not count.
private final class MemoryWatch {
    private let peak: SharedValue<Int>
    private let start = ProcessMemory.own
    private let hasEnded = SharedValue(false)
    private let thread: Thread

    init() {
        let (peak, hasEnded) = (SharedValue(start), hasEnded)
        self.peak = peak
        thread = Thread {
            while !hasEnded.value {
                let now = ProcessMemory.own
                peak.change { $0 = max($0, now) }
                usleep(1000)
            }
        }
        thread.start()
    }

    /// The most that there was beyond the beginning.
    func stop() -> Int {
        hasEnded.value = true
        return max(peak.value, ProcessMemory.own) - start
    }
}
