import LarderKernel

/// The old store of an upgrade in a copy, kept under a name of its own: `NAME.backup-1`, or with the next free number.
///
/// It is a second name of the file until the copy takes the first one. If the file system has no hard links, it is
/// a copy of the file.
struct UpgradeBackup {
    private let old: any SoleFile
    private let suffixes: [String]
    private let calls: UpgradeFileCalls

    init(of old: any SoleFile, companionSuffixes suffixes: [String], _ calls: UpgradeFileCalls) {
        self.old = old
        self.suffixes = suffixes
        self.calls = calls
    }

    /// Makes it, and returns its path.
    func make() throws(DataStoreError) -> String {
        let path = old.file.path
        let start = SiblingNames.numbered(path, Self.kind)
        // A run that was killed has left the name already.
        if let name = Self.names(of: path, old.file.identity).first { return name }
        var number = 1
        while try !add("\(start)\(number)") { number += 1 }
        return "\(start)\(number)"
    }

    private func add(_ name: String) throws(DataStoreError) -> Bool {
        if let isDone = try calls.addLink(name, old.file.path) { return isDone }
        if FileAccess.isTaken(name) { return false }
        return try NewFile(at: name, companionSuffixes: suffixes).make { path throws(DataStoreError) in
            try old.copy(to: path)
        }
    }

    /// The names that a killed run has given a file which is still the store's own.
    static func names(of path: String, _ identity: FileIdentity) -> [String] {
        SiblingNames.taken(path, kind).filter { FileAccess.isName($0, of: identity) }
    }

    /// Removes these names.
    static func discard(of path: String, _ identity: FileIdentity) throws(DataStoreError) {
        for name in names(of: path, identity) { try FileAccess.remove(name) }
    }

    private static let kind = "backup"
}
