import Foundation
import Larder

/// A file with the text of a shape, where a command also takes a store.
enum ShapeFile {
    /// The largest file that is read; the text of a thousand types is much shorter.
    private static let maximumBytes = 64 << 20

    /// True for a store, false for any other file.
    ///
    /// - Throws: `.noInput` where there is no file; `.storeMoved` for the note about a moved store.
    static func isStore(_ path: String) throws -> Bool {
        do {
            _ = try StoreEngine(ofStoreAt: path)
            return true
        } catch let failure as CommandFailure where failure.status == .badData {
            return false
        }
    }

    /// - Throws: `.badData` for a file that holds neither a store nor text; `.invalidSchema` with the line that
    ///   cannot be read.
    static func read(_ path: String, interruption: Interruption) throws -> SchemaShape {
        let file = try InputFile(path, interruption: interruption)
        var data = Data()
        while let piece = try file.read() {
            data += piece
            if data.count > maximumBytes || piece.contains(0) { throw notAShape(path) }
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw notAShape(path) }
        do {
            return try SchemaShape(text: text)
        } catch {
            throw error.about(path: path)
        }
    }

    private static func notAShape(_ path: String) -> CommandFailure {
        CommandFailure(
            .badData, "The file is neither a Larder store nor the text of a shape.",
            advice: "Check the path; nothing was changed.", path: path)
    }
}
