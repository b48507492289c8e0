import Larder

/// Copies a store to a place where nothing is yet; the copy gets its name when it is complete.
struct StoreBackup {
    let environment: LMDBEnvironment
    let place: StorePlace

    func run() throws(DataStoreError) {
        let target = StoreFile.companions(of: try place.pathOfNewFile())
        guard target.allSatisfy({ !FileAccess.isTaken($0) }) else { throw taken }
        let copy = StoreCopy(environment: environment)
        let isMine = try NewFile(at: target[0]).make { (temporary) throws(DataStoreError) in
            try copy.write(to: temporary)
        }
        if !isMine { throw taken }
    }

    private var taken: DataStoreError {
        DataStoreError(
            .cannotOpen, "There is something in the place of the backup already.",
            advice: "Choose another name, or remove what is there.", path: place.path)
    }
}
