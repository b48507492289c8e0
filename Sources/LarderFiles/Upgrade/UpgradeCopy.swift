import LarderKernel
import LarderPlatform
import LarderEngine

/// The copy of a store in which its steps run, by its name `.NAME.larder-upgrade-STATE`.
///
/// A long `NAME` is replaced by its hash.
/// The name holds a hash of the state of the store that was copied and of the way of the steps. So a copy is
/// whole, and of this state, as soon as it has its name, and one of another state is never found.
struct UpgradeCopy {
    let path: String
    private let store: String
    private let suffixes: [String]

    /// "Larder upgrade 1", in two little-endian halves.
    private static let key: (UInt64, UInt64) = (0x7520_7265_6472_614C, 0x3120_6564_6172_6770)
    private static let digits = 32
    private static let partialName = "partial"

    /// - Parameter state: A text that differs if the copy would.
    init(of store: String, state: String, companionSuffixes suffixes: [String]) {
        self.store = store
        self.suffixes = suffixes
        let hash = Array(state.utf8).withUnsafeBytes { SipHash.hash($0, key: Self.key) }
        path = Self.prefix(of: store) + RowDigest(low: hash.low, high: hash.high).description
    }

    /// Makes the copy: under its name it is whole.
    func make(_ write: (String) throws(DataStoreError) -> Void) throws(DataStoreError) {
        let partial = Self.prefix(of: store) + Self.partialName
        defer { try? FileAccess.remove(partial) }
        // Another user of the folder may have put a link there, or a file that others can read.
        try FileAccess.remove(partial)
        try FileAccess.makeFile(partial, for: store, isNew: true)
        try write(partial)
        try FileAccess.synchronize(partial)
        for suffix in suffixes { try FileAccess.remove(partial + suffix) }
        try FileAccess.replace(path, by: partial)
    }

    /// True if an error names a file of the copy.
    func isAbout(_ error: DataStoreError) -> Bool {
        error.path?.hasPrefix(Self.prefix(of: store)) ?? false
    }

    /// Removes the copy and what the engine keeps beside it.
    func discard() {
        for suffix in [""] + suffixes { try? FileAccess.remove(path + suffix) }
    }

    /// Removes the copies of other states.
    func discardOthers() {
        Self.discardAll(of: store, companionSuffixes: suffixes, except: FileAccess.parts(of: path).name)
    }

    /// Removes all copies of a store that killed or cancelled upgrades have left.
    ///
    /// - Parameter kept: The name of one that stays.
    static func discardAll(of store: String, companionSuffixes suffixes: [String], except kept: String? = nil)
    {
        let (folder, prefix) = FileAccess.parts(of: prefix(of: store))
        for name in names(of: store) {
            let suffix = suffixes.first { name.hasSuffix($0) } ?? ""
            let copy = name.dropLast(suffix.count)
            let end = copy.dropFirst(prefix.count)
            let isCopy = end.count == digits && end.allSatisfy { $0.isHexDigit && !$0.isUppercase }
            guard isCopy || end == partialName, copy != kept ?? "" else { continue }
            try? FileAccess.remove(folder + "/" + name)
        }
    }

    /// The size of all copies of a store.
    static func bytes(of store: String) -> Int {
        let folder = FileAccess.parts(of: store).folder
        return names(of: store).reduce(0) { count, name in
            count + ((try? FileAccess.status(at: folder + "/" + name))?.byteCount ?? 0)
        }
    }

    private static func names(of store: String) -> [String] {
        let (folder, prefix) = FileAccess.parts(of: prefix(of: store))
        return FileAccess.names(in: folder).filter { $0.utf8.starts(with: prefix.utf8) }
    }

    private static func prefix(of store: String) -> String { SiblingNames.hidden(beside: store) + "upgrade-" }
}
