package import LarderKernel

/// The part of a store's options that means the same to every engine that stores in files.
package protocol FileStoreOptions: Sendable {
    var isReadOnly: Bool { get set }
    var assumesNoWriter: Bool { get }
    var createsStore: Bool { get set }
    /// True if the structure of every page is checked when the store is opened.
    var verifiesStructure: Bool { get set }
}

extension FileStoreOptions {
    /// The options for a way to open the store; see ``StoreAddress``.
    package func adapted(to access: StoreAddress.Access) -> Self {
        var options = self
        switch access {
        case .reading: (options.isReadOnly, options.verifiesStructure) = (true, true)
        case .readingQuickly: (options.isReadOnly, options.verifiesStructure) = (true, false)
        case .writing: break
        case .updating: options.createsStore = false
        }
        return options
    }

    /// - Throws: `.unsupported` for options that exclude each other.
    package func requireConsistent(path: String) throws(DataStoreError) {
        guard isReadOnly || !assumesNoWriter else {
            throw DataStoreError(
                .unsupported, "assumesNoWriter is for stores that are only read.",
                advice: "Set isReadOnly too.", path: path)
        }
    }
}
