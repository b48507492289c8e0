public import LarderKernel

/// The faults of a temporary store: which calls to its engine fail, and with which error.
///
///     store.faults.failNextWrite(with: .simulated(.busy))
///     #expect(throws: DataStoreError.self) { try book.rate("toast", 4) }
///
/// A call that fails does nothing else. So a block that meets a fault changes nothing, unless it catches an
/// error of a read and continues. The store works afterwards. *Rule:* may be used from any thread; calls are
/// counted in the order in which the engine gets them. A fault takes effect once, except those that last.
public final class StoreFaults: Sendable {
    private struct Fault {
        /// Nil for a call of any kind.
        let call: EngineCall?
        /// The number of calls until it takes effect.
        var distance: Int
        let error: DataStoreError
        /// The purpose of a fault that stays; nil for one that takes effect once.
        var lasting: Purpose?
    }

    private enum Purpose {
        case fullDisk
        case other
    }

    private let faults = Locked<[Fault]>([])

    init() {}

    /// Lets the next write block that changes something fail when it is committed.
    ///
    /// The block runs to its end, and nothing of it is stored. All blocks of `writeAsync` that share the
    /// commit fail.
    public func failNextWrite(with error: DataStoreError = .simulated(.inputOutput)) {
        fail(.commit, with: error)
    }

    /// Lets a call to the engine fail.
    ///
    ///     store.faults.fail(.open, with: .simulated(.permissionDenied))
    ///     store.faults.fail(number: 7)         // the 7th call from now on, of whatever kind
    ///
    /// - Parameters:
    ///   - call: The kind of call, or nil for any.
    ///   - number: The number of the call among calls of its kind from now on; the next one is 1.
    ///   - error: The error that the call throws.
    public func fail(
        _ call: EngineCall? = nil, number: Int = 1, with error: DataStoreError = .simulated(.inputOutput)
    ) {
        add(Fault(call: call, distance: number, error: error))
    }

    /// Lets all calls of a kind fail, until ``removeAll()``.
    ///
    ///     store.faults.failAlways(.beginWriting, with: .simulated(.readOnly))
    public func failAlways(
        _ call: EngineCall, with error: DataStoreError = .simulated(.inputOutput)
    ) {
        add(Fault(call: call, distance: 1, error: error, lasting: .other))
    }

    /// Lets all changes and commits fail with `.storeFull`, deletions too, until ``freeDisk()``; reads still
    /// work.
    public func fillDisk() {
        for call in [EngineCall.apply, .commit] {
            add(Fault(call: call, distance: 1, error: .simulated(.storeFull), lasting: .fullDisk))
        }
    }

    /// Ends what ``fillDisk()`` has begun.
    public func freeDisk() {
        faults.withLock { $0.removeAll { $0.lasting == .fullDisk } }
    }

    /// Removes all faults, including faults that have not taken effect yet.
    public func removeAll() {
        faults.withLock { $0 = [] }
    }

    /// The number of faults that have not taken effect yet, those that last not counted.
    ///
    /// A test that expects 0 at its end knows that its faults were met.
    public var unmetCount: Int {
        faults.withLock { faults in faults.count { $0.lasting == nil } }
    }

    private func add(_ fault: Fault) {
        faults.withLock { $0.append(fault) }
    }

    /// Counts a call, before the engine gets it.
    ///
    /// - Throws: The error of the first fault that the call meets.
    func meet(_ call: EngineCall) throws(DataStoreError) {
        let error = faults.withLock { faults -> DataStoreError? in
            var met: DataStoreError?
            var index = 0
            while index < faults.count {
                let isMeant = faults[index].call.map { $0 == call } ?? true
                if isMeant { faults[index].distance -= 1 }
                guard isMeant, faults[index].distance <= 0 else {
                    index += 1
                    continue
                }
                met = met ?? faults[index].error
                if faults[index].lasting == nil { faults.remove(at: index) } else { index += 1 }
            }
            return met
        }
        if let error { throw error }
    }
}

extension DataStoreError {
    /// An error for a fault, with the general advice for its code.
    ///
    ///     store.faults.failNextWrite(with: .simulated(.busy))
    public static func simulated(_ code: Code) -> DataStoreError {
        DataStoreError(code, "A fault of the test lets this call fail.")
    }
}
