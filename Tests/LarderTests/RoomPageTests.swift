import Foundation
import Testing

/// Each target of the library has a page in its folder, which says what it is for and where to begin reading.
struct RoomPageTests {
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The library's targets in the manifest: those outside of `Tests` and `Examples`.
    private func rooms() throws -> [(name: String, folder: String, excludesPage: Bool)] {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        return manifest.components(separatedBy: "\n        .").compactMap { text in
            // The command line has one page for all of its parts.
            if text.contains("path: \"Tools/") { return nil }
            guard let match = text.firstMatch(of: /^(?:target|macro)\(\s*name: "(Larder\w*)"/) else {
                return nil
            }
            let path = text.firstMatch(of: /path: "([\w\/]+)"/).map { String($0.1) }
            return (String(match.1), path ?? "Sources/\(match.1)", text.contains("\"README.md\""))
        }
    }

    private func page(in folder: String) -> String? {
        try? String(contentsOf: root.appendingPathComponent("\(folder)/README.md"), encoding: .utf8)
    }

    @Test func `each room has a page that begins with its name`() throws {
        let rooms = try rooms()

        #expect(rooms.count >= 20)
        for room in rooms {
            #expect(page(in: room.folder)?.hasPrefix("# \(room.name)\n") == true, "\(room.folder)/README.md")
            #expect(room.excludesPage, "\(room.name) does not exclude its page from the build")
        }
    }

    /// Rooms whose page says no more than what they are: one has no code of its own, and one has no types.
    private static let roomsInALine: Set = ["Larder", "LarderPlatform"]

    @Test func `each page says what its room is, its main types, which way data goes and where to begin`()
        throws
    {
        for room in try rooms() where !Self.roomsInALine.contains(room.name) {
            let parts = (page(in: room.folder) ?? "").components(separatedBy: "\n- **")
            let labels = parts.dropFirst().compactMap { $0.components(separatedBy: "**").first }

            #expect(parts[0].count > room.name.count + 20, "\(room.name) does not say what it is")
            for label in ["Types.", "Data.", "Arrows.", "Begin reading", "Rules."] {
                #expect(labels.filter { $0 == label }.count == 1, "\(room.name): **\(label)**")
            }
        }
    }

    /// A type is a room's own if a file of the room is named for it.
    @Test func `a page names three main types at most, and all others beside them`() throws {
        var named = 0
        for room in try rooms() {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(room.folder).path)
            let own = Set(files?.compactMap { ($0 as? String)?.components(separatedBy: "/").last } ?? [])
            let parts = (page(in: room.folder) ?? "").components(separatedBy: "\n- **")
            let types = parts.first { $0.hasPrefix("Types.**") } ?? ""
            let names = Set(types.matches(of: /`(\w+)`/).map { String($0.1) })
            let main = names.filter { own.contains("\($0).swift") }
            named += main.count
            #expect(main.count <= 3, "\(room.name): \(main.sorted())")
        }
        #expect(named > 60)
    }

    @Test func `each file that a page names exists`() throws {
        let files = FileManager.default.enumerator(atPath: root.appendingPathComponent("Sources").path)
        let known = Set(files?.compactMap { ($0 as? String)?.components(separatedBy: "/").last } ?? [])

        for room in try rooms() {
            for match in (page(in: room.folder) ?? "").matches(of: /`((?:\w+\/)*([\w+]+\.swift))`/) {
                let path = root.appendingPathComponent("\(room.folder)/\(match.1)").path
                let isElsewhere = match.1 == match.2 && known.contains(String(match.2))
                #expect(
                    isElsewhere || FileManager.default.fileExists(atPath: path),
                    "\(room.folder)/README.md names \(match.1)")
            }
        }
    }
}
