import CLMDB
import LarderKernel
import LarderEngine
import LarderFiles

/// Opens the file of a store: finds or creates it, checks it, and lets LMDB map it.
///
/// *Rule:* nothing is deleted, replaced or repaired, whatever is wrong; only an empty file goes that LMDB itself has made.
struct StoreOpening {
    let place: StorePlace
    let options: LMDBOptions
    /// The number of tables that the app may add to the existing ones.
    let newTables: Int
    /// The app's types, to which the copy that a new store begins with must have a way; nil if they are not known.
    let schema: StoreSchema?
    let plan: MigrationPlan?

    private var path: String { place.path }

    func run() throws(DataStoreError) -> LMDBStore {
        try place.requirePath(for: options.file, of: .lmdb)
        try options.validate(path: path)
        // The adapter begins again if the file was moved.
        return try OpeningAttempts.run(at: path, repeatsMoved: false) {
            () throws(DataStoreError) -> LMDBStore? in
            let status = try place.fileOrNew(for: options.file) { (newPath) throws(DataStoreError) in
                guard try mayMake(newPath) else { return }
                try StoreCreation(path: newPath, options: options.file, schema: schema, plan: plan).run()
            }
            return try open(try StoreFile(at: path, status, of: .lmdb))
        }
    }

    /// Opens the file; nil when another process has removed the lock file meanwhile.
    private func open(_ file: StoreFile) throws(DataStoreError) -> LMDBStore? {
        var claims = try StoreClaims(file, at: path)
        var environment: LMDBEnvironment?
        do throws(DataStoreError) {
            let head = try examine(file)
            let access = LMDBReadingAccess(file: file, options: options.file)
            let usesLocks = options.isReadOnly ? try access.isShared() : true
            if usesLocks {
                try claims.claimLockFile()
                try claims.lockFile?.waitUntilShared(options.busyTimeout)
                try claims.lockFile?.reserveRoom(forReaders: options.readerCount)
            }
            options.openingProbe?()
            let opened = try LMDBEnvironment(path: file.path, settings(for: head, usesLocks: usesLocks))
            environment = opened
            try requireInPlace(file, opened)
            // First, as killed processes may hold all places.
            opened.forgetDeadReaders()
            try opened.requireOwnLocks()
            if claims.lockFile?.isInPlace ?? true {
                if !options.isReadOnly { try claims.holdNumber() }
                return try LMDBStore(file, opened, claims: claims, options: options)
            }
        } catch {
            // Without its lock file, LMDB may not have been able to open the store either.
            let isRemoved = claims.lockFile.map { !$0.isInPlace } ?? false
            claims.release(removingTrace: true) { environment?.close() }
            if environment == nil { removeEmptyFile(inPlaceOf: file) }
            if isRemoved && FileAccess.isFile(file.identity, at: file.path) { return nil }
            throw file.explained(error).about(path: path)
        }
        claims.release(removingTrace: false) { environment?.close() }
        return nil
    }

    private func examine(_ file: StoreFile) throws(DataStoreError) -> StoreFileHead {
        let head = try StoreFileHead.read(at: file.path, probe: options.headProbe)
        // A file may lack its last pages, as LMDB does not write pages that were freed before the commit.
        if options.verification == .structure || head.isShort {
            try LMDBFileCheck.requireSound(fileAt: file.path)
        }
        return head
    }

    /// Checks that the file is in its place, and removes the one that LMDB makes if another process has removed it.
    ///
    /// That one would be foreign, as it has no mark. As long as LMDB has its locks, no process makes a store there.
    private func requireInPlace(
        _ file: StoreFile, _ opened: LMDBEnvironment
    ) throws(DataStoreError) {
        do throws(DataStoreError) {
            try file.requireInPlace()
        } catch {
            // A store has a commit.
            if !options.isReadOnly && opened.lastTransaction == 0 { try opened.removeFile() }
            throw error
        }
    }

    /// Removes an empty file that LMDB has made before it failed, because another process had removed the store's.
    private func removeEmptyFile(inPlaceOf file: StoreFile) {
        guard !options.isReadOnly, !FileAccess.isFile(file.identity, at: file.path),
            FileAccess.isTaken(file.path), let lockFile = try? LockFile(claimingAt: file.lockPath)
        else { return }
        defer { lockFile.release() }
        // No process has it open then, or makes a store there.
        _ = try? lockFile.whileUnused { () throws(DataStoreError) in
            guard let found = FileAccess.statusOfName(file.path), found.isRegularFile, found.byteCount == 0
            else { return }
            try FileAccess.remove(file.path)
            if lockFile.isNew { try FileAccess.remove(lockFile.path) }
        }
    }

    private func settings(for head: StoreFileHead, usesLocks: Bool) -> LMDBEnvironment.Settings {
        var flags: Int32 =
            switch options.durability {
            case .full: 0
            case .normal: MDB_NOMETASYNC
            case .none: MDB_NOSYNC
            }
        if options.isReadOnly { flags = MDB_RDONLY }
        if !usesLocks { flags |= MDB_NOLOCK }
        let most = options.mostMapBytes(pageBytes: head.pageBytes)
        return .init(
            flags: flags, mapBytes: max(min(options.mapPolicy.first, most), head.usedBytes),
            neededBytes: head.usedBytes, tables: head.tableCount + newTables,
            readers: options.readerCount)
    }

    /// True if the store does not exist yet.
    ///
    /// - Throws: `.cannotOpen` if another process still uses the lock file of a store that was moved away:
    ///   LMDB would mix up the two.
    private func mayMake(_ newPath: String) throws(DataStoreError) -> Bool {
        let lockPath = newPath + "-lock"
        guard FileAccess.isTaken(lockPath) else { return true }
        let lockFile = try LockFile(claimingAt: lockPath)
        defer { lockFile.release() }
        guard try lockFile.isUsedElsewhere() else { return true }
        // Checked again, since the process that uses it may just have made the store.
        if FileAccess.isTaken(newPath) { return false }
        throw DataStoreError(
            .cannotOpen, "The store is missing, but another process still uses it.",
            advice: "Put the store's file back, or end the other process.", path: path)
    }
}

extension LMDBOptions {
    /// A store needs a few pages for each commit, beside those it keeps.
    private static let leastSize = 256 << 10
    /// The minimum number of places for readers of all processes in a lock file.
    private static let leastReaders = 1024
    /// The number of these places for tools, in addition to the blocks' places.
    private static let toolReaders = 16

    /// The number of blocks that may read at once: LMDB's own number of places, unless the app has given another one.
    var blockReaders: Int { file.maximumReaders ?? 126 }

    /// The number of places for readers of all processes in a new lock file.
    fileprivate var readerCount: Int {
        readerPlaces ?? max(Self.leastReaders, min(blockReaders, 1 << 20) + Self.toolReaders)
    }

    /// The most address space for a file that is not larger already: whole pages within the limit.
    func mostMapBytes(pageBytes: Int) -> Int {
        file.sizeLimit.map { $0 / pageBytes * pageBytes } ?? MapPolicy.plenty
    }

    func validate(path: String) throws(DataStoreError) {
        guard MemoryLayout<Int>.size == 8 else {
            throw DataStoreError(
                .unsupported, "LMDB's files are only read and written by 64-bit processes.", path: path)
        }
        if let sizeLimit = file.sizeLimit, sizeLimit < Self.leastSize {
            throw DataStoreError(
                .unsupported, "A store cannot be limited to \(sizeLimit) bytes.",
                advice: "Choose a limit of \(Self.leastSize) bytes or more.", path: path)
        }
        try file.requireConsistent(path: path)
    }
}
