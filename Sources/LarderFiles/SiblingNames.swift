import LarderKernel
import LarderPlatform
import LarderEngine

/// Names of files beside a store's own, which fit however long the store's name is.
///
/// A file system takes names of a certain length, mostly 255 bytes. So the store's own name is limited only by the
/// files that an engine keeps beside it; other names are shortened.
package enum SiblingNames {
    /// The path of a hidden file beside another, without the end of its name: `.NAME.larder-`.
    ///
    /// A long name is replaced by its hash. So the path depends on the name alone, and no two names share it.
    static func hidden(beside path: String) -> String {
        let (folder, name) = FileAccess.parts(of: path)
        let whole = ".\(name).larder-"
        let fits = whole.utf8.count + roomOfHidden <= longest(in: folder)
        return join(folder, fits ? whole : ".\(hash(of: name)).larder-")
    }

    /// The path of a file for people, without the number at its end: `NAME.backup-`.
    ///
    /// A long name is cut off.
    static func numbered(_ path: String, _ kind: String) -> String {
        let (folder, name) = FileAccess.parts(of: path)
        let end = ".\(kind)-"
        var start = Substring(name)
        while start.utf8.count + end.utf8.count + roomOfNumbered > longest(in: folder), !start.isEmpty {
            start.removeLast()
        }
        return join(folder, start + end)
    }

    /// The paths of what is there by such names, with any number.
    static func taken(_ path: String, _ kind: String) -> [String] {
        let (folder, prefix) = FileAccess.parts(of: numbered(path, kind))
        return FileAccess.names(in: folder).compactMap { name in
            guard name.utf8.starts(with: prefix.utf8), Int(name.dropFirst(prefix.count)) != nil else {
                return nil
            }
            return folder + "/" + name
        }
    }

    /// The number of bytes in the longest name that a folder can hold.
    package static func longest(in folder: String) -> Int {
        let limit = pathconf(folder, Int32(_PC_NAME_MAX))
        return limit > 0 ? limit : 255
    }

    /// A kind of file, the 32 digits of a hash, and the suffix of an engine: `upgrade-HASH-journal`.
    private static let roomOfHidden = 48
    /// A number, and the suffix of an engine.
    private static let roomOfNumbered = 16

    private static func join(_ folder: String, _ name: some StringProtocol) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// "Larder file name", in two little-endian halves.
    private static let key: (UInt64, UInt64) = (0x6620_7265_6472_614C, 0x656D_616E_2065_6C69)

    private static func hash(of name: String) -> String {
        let hash = Array(name.utf8).withUnsafeBytes { SipHash.hash($0, key: key) }
        return RowDigest(low: hash.low, high: hash.high).description
    }
}
