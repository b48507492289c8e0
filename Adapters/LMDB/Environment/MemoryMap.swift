import CLMDB
import LarderKernel
import LarderFiles

/// Sees to it that the file fits into the address space it was given.
///
/// As a rule it has far more than it will ever need. If that much was not available, the map grows while
/// there are no readers: LMDB moves it, which would invalidate the readers' pointers.
struct MemoryMap {
    let environment: LMDBEnvironment
    let readers: LMDBReaders
    let options: LMDBOptions

    private var gate: ReaderGate { readers.gate }

    /// Makes room for a write if there is little left.
    ///
    /// When the readers do not end in time, it continues with the present size.
    ///
    /// *Rule:* called by the writer, before it begins.
    ///
    /// - Parameter fullMaps: The number of times a transaction has found the map full; each doubles the
    ///   requested size.
    func growAheadOfNeed(afterFullMaps fullMaps: Int) throws(DataStoreError) {
        let policy = options.mapPolicy
        // Inside the gate, as a reader may lose the map, which even the size of a page is read from.
        try gate.enterAsWriter()
        let (isFinal, used) = environment.isMapped ? (environment.mapBytes >= most, usedBytes) : (true, 0)
        gate.leaveAsWriter()
        if isFinal { return }
        let (room, isOverflow) = policy.room.multipliedReportingOverflow(by: 1 << min(fullMaps, 20))
        let wanted = isOverflow ? MapPolicy.plenty : room
        guard environment.mapBytes - used < wanted else { return }
        environment.forgetDeadReaders()
        _ = gate.inGap(limit: policy.gapLimit) {
            guard environment.isMapped else { return }
            grow(to: min(most, 2 * used + 2 * wanted), atLeast: used)
        }
    }

    /// Makes the map as large as the file, which another process has made larger.
    ///
    /// *Rule:* the caller has no transaction open.
    ///
    /// - Parameter mayWait: False for a few milliseconds at most.
    /// - Throws: `.busy` when readings do not end within the busy timeout, or these milliseconds.
    func adoptGrowth(mayWait: Bool = true) throws(DataStoreError) {
        let path = environment.path
        let limit = mayWait ? options.busyTimeout : .milliseconds(8)
        let outcome = gate.inGap(limit: limit, awaitsOthers: mayWait) {
            guard environment.isMapped else { return false }
            // Another thread may have been faster.
            let used = usedBytes
            if environment.mapBytes < used {
                // A file that is larger than its limit already grows no further.
                grow(to: min(most, 2 * used), atLeast: used)
            }
            return environment.isMapped && environment.mapBytes >= usedBytes
        }
        switch outcome {
        case true: return
        case false:
            throw LMDBFailure(MDB_MAP_RESIZED).error(
                "The file has outgrown its address space.", path: path)
        case nil:
            throw DataStoreError(
                .busy, "Another process has made the file larger, and open reads still use the old map.",
                advice: "Repeat the call when they have ended.", path: path)
        }
    }

    /// The size up to which the map grows.
    private var most: Int { options.mostMapBytes(pageBytes: environment.pageBytes) }

    private var usedBytes: Int { environment.pageCount * environment.pageBytes }

    /// Maps as much as is available, from the wanted size down to the minimum.
    private func grow(to wanted: Int, atLeast needed: Int) {
        let least = max(environment.mapBytes, needed)
        var size = max(wanted, needed)
        while size > environment.mapBytes {
            if environment.resizeMap(to: size) == 0 { return }
            // LMDB would read the lost map as it renews them.
            guard environment.isMapped else { return readers.endIdle() }
            if size == least { return }
            size = max(least, (size - size / 4) / environment.pageBytes * environment.pageBytes)
        }
    }
}
