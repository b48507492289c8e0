import Foundation
import LarderKernel

/// The reason why a Swift type cannot be decoded from stored JSON.
enum UndecodableJSON {
    /// The reason as the end of a sentence; nil for a cell that is not JSON, or a type that is not stored as JSON.
    static func problem<Value: AttributeStorable>(of cell: Cell, as type: Value.Type) -> String? {
        guard cell.kind == .text, Value.attributeType == .json, let type = Value.self as? any Decodable.Type
        else { return nil }
        do {
            _ = try JSONDecoder().decode(type, from: Data(cell.bytes))
            return nil
        } catch let error as DecodingError {
            return words(error)
        } catch {
            return ": \(error)"
        }
    }

    private static func words(_ error: DecodingError) -> String? {
        switch error {
        case .keyNotFound(let key, let context): ": \(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context):
            ": \(place(context.codingPath)) is not a valid \(type)"
        case .valueNotFound(let type, let context):
            ": \(place(context.codingPath)) is null and not a \(type)"
        case .dataCorrupted(let context): ": \(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: nil
        }
    }

    /// The keys that lead to the place, with points between them.
    private static func place(_ path: [any CodingKey]) -> String {
        if path.isEmpty { return "the whole" }
        return "\"" + path.map { $0.intValue.map { String($0) } ?? $0.stringValue }.joined(separator: ".")
            + "\""
    }
}
