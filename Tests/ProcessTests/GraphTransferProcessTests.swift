import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport

/// Transfers of references and links whose process is killed.
struct GraphTransferProcessTests {
    private static let notes = 60
    private static let tags = 20

    /// Notes that refer to each other, with three tags each.
    private static var lines: Data {
        var lines = [
            #"{"format":"larder-items","version":2,"entities":[{"name":"Note","attributes":["#
                + #"{"name":"id","type":"int64","isOptional":false},"#
                + #"{"name":"next","type":"int64","isOptional":false}],"indexes":[],"relationships":["#
                + #"{"name":"tags","kind":"orderedToMany","target":"Tag","deleteRule":"nullify"},"#
                + #"{"name":"before","kind":"toOneInverse","target":"Note","inverse":"next","#
                + #""deleteRule":"deny"},"#
                + #"{"name":"next","kind":"toOne","target":"Note","deleteRule":"nullify"}]},"#
                + #"{"name":"Tag","attributes":[{"name":"id","type":"string","isOptional":false}],"#
                + #""indexes":[]}]}"#
        ]
        for note in 0..<notes {
            let list = [7, 3, 12].map { "\"tag \((note + $0) % tags)\"" }.joined(separator: ",")
            lines.append(
                #"{"entity":"Note","values":{"id":"\#(note)","next":"\#((note + 1) % notes)","#
                    + #""tags":[\#(list)]}}"#
            )
        }
        for tag in 0..<tags { lines.append(#"{"entity":"Tag","values":{"id":"tag \#(tag)"}}"#) }
        lines.append(#"{"end":{"items":\#(notes + tags)}}"#)
        return Data(lines.joined(separator: "\n").utf8)
    }

    @Test(arguments: Engine.all, Engine.all)
    func `a transfer killed again and again ends with all references and links`(
        _ from: Engine, _ to: Engine
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        let source = folder.url.appendingPathComponent("source")
        let destination = folder.url.appendingPathComponent("destination")
        var rest = Self.lines
        _ = try JSONLinesImport(into: from.address(at: source)).run {
            defer { rest = Data() }
            return rest
        }
        var kills = 0
        var isDone = false

        while !isDone {
            let child = try ChildProcess(
                [from.rawValue, "transfer", source.path, to.rawValue, destination.path])
            // Later ones may take longer, so that one reaches the end.
            for _ in 0..<Int.random(in: 0...(10 + 4 * kills), using: &generator) {
                let line = child.nextLine()
                if line == nil || line == "done" { break }
                child.answer()
            }
            child.kill()
            while child.nextLine() != nil {}
            let stored = try to.address(at: destination).storedSchema()
            isDone = stored?.transfer?.isComplete == true
            kills += isDone ? 0 : 1
        }

        #expect(kills > 0, "\(seed)")
        #expect(try Self.exported(to.address(at: destination)) == Self.exported(from.address(at: source)))
        print("\(from) to \(to): \(kills) kills")
    }

    /// Fails for links that start from no item.
    private static func exported(_ address: StoreAddress) throws -> Data {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        var lines = Data()
        _ = try store.read { reader in try JSONLinesExport(of: reader).run { lines += $0 } }
        return lines
    }
}
