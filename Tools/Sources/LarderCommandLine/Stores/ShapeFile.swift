import Foundation
import Larder

/// A file with the text of a shape or of a lock, which a command accepts in place of a store.
enum ShapeFile {
    /// The largest file that is read; the text of a thousand types is much shorter.
    private static let maximumBytes = 64 << 20

    /// True for a store, false for any other file.
    ///
    /// - Throws: `.noInput` if there is no file; `.storeMoved` for the note about a moved store.
    static func isStore(_ path: String) throws -> Bool {
        do {
            _ = try StoreEngine(ofStoreAt: path)
            return true
        } catch let failure as CommandFailure where failure.status == .badData {
            return false
        }
    }

    /// - Throws: `.badData` for a file that holds neither a store nor text; `.invalidSchema` with the line
    ///   that cannot be read.
    static func read(_ path: String, interruption: Interruption) throws -> SchemaShape {
        let text = try text(of: path, interruption)
        do {
            return try SchemaShape(text: text)
        } catch {
            throw error.about(path: path)
        }
    }

    /// The versions of a lock with shapes, in their order, or the one version of a shape, which has the name
    /// of the file without its extension.
    ///
    /// - Throws: As ``read(_:interruption:)``; `.invalidSchema` for a lock without shapes.
    static func readVersions(_ path: String, interruption: Interruption) throws -> [SchemaVersion] {
        let text = try text(of: path, interruption)
        do {
            if isLock(text) { return try SchemaLock(text: text).versions() }
            return [SchemaVersion(name(of: path), shape: try SchemaShape(text: text))]
        } catch {
            throw error.about(path: path)
        }
    }

    /// The name of a file without its extension.
    static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// True if the first line begins a lock, such as `1: 4f0c…` with 32 digits.
    private static func isLock(_ text: String) -> Bool {
        let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
        guard let digits = line?.split(separator: " ").last, digits.utf8.count == 32 else { return false }
        return digits.allSatisfy(\.isHexDigit)
    }

    private static func text(of path: String, _ interruption: Interruption) throws -> String {
        let file = try InputFile(path, interruption: interruption)
        var data = Data()
        while let piece = try file.read() {
            data += piece
            if data.count > maximumBytes || piece.contains(0) { throw notAShape(path) }
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw notAShape(path) }
        return text
    }

    private static func notAShape(_ path: String) -> CommandFailure {
        CommandFailure(
            .badData, "The file is neither a Larder store nor the text of a shape.",
            advice: "Check the path; nothing was changed.", path: path)
    }
}
