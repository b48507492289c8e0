import Foundation

/// What this process takes.
enum ProcessMemory {
    /// The most that was ever resident, in bytes; 0 where the system does not say.
    ///
    /// Not `getrusage`: its peak also counts what the parent had before it became this process.
    static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        return kilobytes.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }

    /// What is resident and not a mapped file, in bytes; 0 where the system does not say.
    static var own: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").compactMap { Int($0) }
        guard pages.count > 2 else { return 0 }
        return (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
    }
}
