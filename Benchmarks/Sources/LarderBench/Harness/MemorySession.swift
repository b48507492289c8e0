import Foundation

/// Has a sample taken in a process of its own, by the hidden command `memory`.
final class MemorySession: Session {
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
