package import LarderVersions
package import LarderKernel
import LarderEngine

/// The place of a store's file, which a copy takes only if nothing else depends on the file itself.
package struct UpgradePlace {
    /// The path of the file, without links.
    let path: String
    private let location: String

    package init(of address: StoreAddress) {
        self.init(at: address.location)
    }

    /// - Parameter location: The path as the app gave it.
    package init(at location: String) {
        self.location = location
        path = (try? FileAccess.resolved(location)) ?? location
    }

    private var folder: String { FileAccess.parts(of: path).folder }

    /// True if a copy can take the store's place, and there is room for it.
    ///
    /// The file must be the user's own, as the copy will be, and have no other name. If a killed run has left a copy,
    /// it counts as free space.
    package func canCopy(_ needs: UpgradeNeeds) -> Bool {
        guard FileAccess.canMakeFiles(in: folder), FileAccess.isOwn(path), otherNames == 0,
            FileAccess.keepsRights(replacing: path)
        else { return false }
        guard let free = FreeSpace.beside(path) else { return true }
        return free + UpgradeCopy.bytes(of: path) >= needs.bytesInCopy
    }

    /// - Parameter inPlace: The alternative that needs no copy, for the advice.
    /// - Throws: `.permissionDenied` if no file can be made in the folder, or other users would have other rights;
    ///   `.unsupported` for a file with several names, of which only one would lead to the new store.
    package func requireReplaceable(or inPlace: String? = nil) throws(DataStoreError) {
        let alternative = inPlace.map { ", or \($0)" } ?? ""
        guard FileAccess.canMakeFiles(in: folder) else {
            throw DataStoreError(
                .permissionDenied,
                "The store cannot be copied, as no file can be made in the folder \(folder).",
                advice: "Let the process write to the folder\(alternative).", path: location)
        }
        guard FileAccess.keepsRights(replacing: path) else {
            throw DataStoreError(
                .permissionDenied,
                "The store's file belongs to another user or group, whose rights a new file in its place would not keep.",
                advice: "Let a user do it who owns the file and is in its group\(alternative).",
                path: location)
        }
        let otherNames = otherNames
        guard otherNames == 0 else {
            throw DataStoreError(
                .unsupported,
                "The store's file has \(otherNames + 1) names (hard links), and a copy would take the place of one only.",
                advice: "Remove the other names\(alternative).", path: location)
        }
    }

    /// The number of names of the file besides its own, and besides those that killed processes have left: for a backup,
    /// to set the store aside, and the first one of the store when it was made.
    private var otherNames: Int {
        guard let status, status.linkCount > 1 else { return 0 }
        let first = NewFile(at: path).abandoned().count { FileAccess.isName($0, of: status.identity) }
        let aside = UnfinishedSetAside.names(of: path, status.identity).count
        return status.linkCount - 1 - first - aside - UpgradeBackup.names(of: path, status.identity).count
    }

    private var status: FileStatus? { try? FileAccess.status(at: path) }

    /// Removes what killed upgrades in a copy have left.
    ///
    /// *Rule:* no other process uses the store.
    func discardLeftovers(companionSuffixes suffixes: [String]) {
        UpgradeCopy.discardAll(of: path, companionSuffixes: suffixes)
        // A second name would not keep what it was made for.
        guard let status, status.linkCount > 1 else { return }
        try? UpgradeBackup.discard(of: path, status.identity)
    }
}
