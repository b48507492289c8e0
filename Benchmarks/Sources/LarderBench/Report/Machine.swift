import CLMDBRaw
import CSQLiteRaw
import Foundation

#if PostgreSQL
    import CPostgreSQLRaw
#endif

/// What a table of figures says of where they were taken.
enum Machine {
    static var facts: String {
        let system = ProcessInfo.processInfo
        let memory = Double(system.physicalMemory) / Double(1 << 30)
        let parts = [
            processor, "\(system.activeProcessorCount) cores", String(format: "%.0f GB", memory),
            system.operatingSystemVersionString, "Swift \(compiler)",
            "SQLite " + String(cString: sqlite3_libversion()),
            "LMDB \(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)", "GRDB 7.10.0",
        ]
        return (parts + server).joined(separator: ", ")
    }

    /// The client of PostgreSQL, if the program was built with it; the server is of the same version.
    private static var server: [String] {
        #if PostgreSQL
            let version = Int(PQlibVersion())
            return ["libpq \(version / 10_000).\(version % 10_000)"]
        #else
            return []
        #endif
    }

    private static var processor: String {
        let lines =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
