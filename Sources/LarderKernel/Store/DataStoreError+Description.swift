extension DataStoreError: CustomStringConvertible {
    public var description: String {
        var text = "\(code.rawValue): \(message)" + place
        if let underlying { text += " (\(underlying.source) \(underlying.code): \(underlying.message))" }
        return text + " \(advice)"
    }

    /// The code, item type, attribute and path.
    var textWithoutValues: String {
        let attribute = [itemType, attribute].compactMap { $0 }.joined(separator: ".")
        return [code.rawValue, attribute, path ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The source, item, attribute, request and path concerned, each in brackets.
    var place: String {
        var text = ""
        if let importPlace {
            text += " [source \(importPlace.position)\(importPlace.key.map { ", key \($0)" } ?? "")]"
        }
        let attribute = [itemType, attribute].compactMap { $0 }.joined(separator: ".")
        if !attribute.isEmpty { text += " [\(attribute)]" }
        if let identifier { text += " [id \(identifier)]" }
        if let request { text += " [\(request)]" }
        if let path { text += " [\(path)]" }
        return text
    }
}
