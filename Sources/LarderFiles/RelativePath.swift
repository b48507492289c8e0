import LarderKernel

/// A path as seen from a folder, by their texts alone.
enum RelativePath {
    /// A path relative to a folder; unchanged if both have only the root in common.
    ///
    /// *Rule:* both are absolute, without links and relative parts; anything else is returned unchanged.
    static func relative(_ path: String, to folder: String) -> String {
        guard path.hasPrefix("/"), folder.hasPrefix("/") else { return path }
        let (parts, base) = (path.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(parts, base).prefix { $0 == $1 }.count
        guard common > 0 || base.isEmpty, common < parts.count else { return path }
        let up = repeatElement("..", count: base.count - common)
        return (up + parts[common...].map(String.init)).joined(separator: "/")
    }

    /// The path that is meant by one relative to a folder.
    static func absolute(_ path: String, from folder: String) -> String {
        if path.hasPrefix("/") { return path }
        var parts = folder.split(separator: "/")[...]
        for part in path.split(separator: "/") {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
