import Foundation

#if os(Linux)
    /// A small file system in memory.
    enum Mount {
        static func make(at url: URL, bytes: Int) -> Bool {
            mount("tmpfs", url.path, "tmpfs", 0, "size=\(bytes)") == 0
        }

        static func remove(_ url: URL) {
            umount2(url.path, 2)  // MNT_DETACH
        }
    }
#endif
