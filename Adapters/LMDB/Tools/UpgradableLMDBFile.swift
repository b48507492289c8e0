import Foundation
import LarderKernel
import LarderFiles

/// An LMDB store whose steps may run in a copy.
struct UpgradableLMDBFile: UpgradableFile {
    let place: StorePlace
    let options: LMDBOptions

    var address: StoreAddress {
        var options = options
        options.file.adaptToUpgrade()
        return .lmdb(at: URL(fileURLWithPath: place.path), options: options)
    }

    /// All content is in the file itself.
    var stateSuffixes: [String] { [] }

    func whileAlone(
        _ body: (any SoleFile) throws(DataStoreError) -> Void
    ) throws(DataStoreError) -> Bool {
        try SoleLMDBFile.whileAlone(at: place, waiting: options.busyTimeout) {
            sole throws(DataStoreError) in try body(sole)
        }
    }
}
