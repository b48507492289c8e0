// MARK: Write blocks

extension StoreCoordinator {
    func writeSync<Result>(_ block: (DataStoreReadWriteAccessor) throws -> Result) throws -> Result {
        try requireOutside("writeSync()")
        try writer.acquire()
        let outcome = runAlone(block)
        writer.release()
        for hook in outcome.hooks { hook() }
        return try outcome.result.get()
    }

    func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)?
    ) {
        // Whoever waited for room inside a block or a completion might wait for itself.
        let limit = ThreadBlocks.current.mayWait ? options.maximumPendingWrites : .max
        enqueue(block, limit: limit, finishesQuickly: false) { [self] result in
            if let completion {
                completion(result)
            } else if case .failure(let error) = result {
                report(error)
            }
        }
    }

    func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(
                    block, limit: .max, finishesQuickly: true, isCancelled: { isCancelled.withLock { $0 } }
                ) { result in continuation.resume(with: result) }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    func flush() throws(DataStoreError) {
        try requireOutside("flush()")
        try gate.requireOpen(self)
        try writer.acquire()
        writer.release()
    }

    func flush() async throws {
        try gate.requireOpen(self)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do {
                let ending = WriteEnding(runsForeignCode: false) { _ in continuation.resume() }
                try writer.enqueue(PendingWrite { _ in ending }, start: runBatch)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

extension StoreCoordinator {
    /// Lets a block wait for its turn; `finish` is called once, when its batch is committed or has failed.
    ///
    /// - Parameter finishesQuickly: Whether `finish` runs no code of the app.
    private func enqueue<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result, limit: Int,
        finishesQuickly: Bool, isCancelled: @escaping @Sendable () -> Bool = { false },
        finish: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let write = PendingWrite { batch in
            let outcome = isCancelled() ? WriteOutcome(.failure(CancellationError())) : batch.run(block)
            return WriteEnding(runsForeignCode: !finishesQuickly || !outcome.hooks.isEmpty) { failure in
                guard let failure, case .success = outcome.result else {
                    for hook in outcome.hooks { hook() }
                    return finish(outcome.result)
                }
                finish(.failure(failure))
            }
        }
        do {
            try gate.requireOpen(self)
            try writer.enqueue(write, limit: limit, start: runBatch)
        } catch {
            callBack { finish(.failure(error)) }
        }
    }

    /// Runs a write and those that wait behind it in one engine transaction, then tells all of them.
    ///
    /// The caller has the writer's turn, which ends here. A ``writeSync(_:)`` that waits ends the batch, so
    /// that the order stays that of the calls.
    private func runBatch(startingWith first: PendingWrite) {
        let batch = WriteBatch(of: self)
        var endings: [WriteEnding] = []
        var next: PendingWrite? = first
        while let write = next {
            endings.append(write.run(batch))
            next = batch.isFull ? nil : writer.takeNextWrite()
        }
        let failure = batch.commit()
        writer.release()
        answer(endings, failure)
    }

    /// Answers those who await at once, and calls everything else where it may block and call the store again.
    private func answer(_ endings: [WriteEnding], _ failure: DataStoreError?) {
        for ending in endings where !ending.runsForeignCode { ending.answer(failure) }
        let slow = endings.filter(\.runsForeignCode)
        writer.noteAnswered(endings.count - slow.count)
        if slow.isEmpty { return }
        callBack { [writer] in
            for ending in slow {
                ending.answer(failure)
                writer.noteAnswered(1)
            }
        }
    }

    /// Runs a block in a transaction of its own; the caller has the writer's turn.
    private func runAlone<Value>(_ block: (DataStoreReadWriteAccessor) throws -> Value) -> WriteOutcome<Value>
    {
        do {
            return run(block, in: try makeWriteContext())
        } catch {
            return WriteOutcome(.failure(error))
        }
    }

    /// The context of a block that is about to run.
    ///
    /// - Parameter shared: The transaction it shares with others; nil for one of its own.
    func makeWriteContext(shared: (any StorageWriting)? = nil) throws(DataStoreError) -> WriteContext {
        let state = try gate.enter(self)
        if let shared { return WriteContext(store: self, state: state, writing: shared, isShared: true) }
        do {
            let writing = try adapter.beginWriting()
            return WriteContext(store: self, state: state, writing: writing, isShared: false)
        } catch {
            gate.leave()
            throw error
        }
    }

    /// Runs a block, and commits it unless it shares its transaction.
    func run<Value>(
        _ block: (DataStoreReadWriteAccessor) throws -> Value, in context: WriteContext
    ) -> WriteOutcome<Value> {
        let thread = ThreadBlocks.current
        thread.push(context)
        let started = log.slowBlock == nil ? nil : ContinuousClock.now
        defer {
            context.close()
            thread.pop()
            gate.leave()
            if let started { log.blockEnded(after: .now - started, kind: "write") }
        }
        let accessor = DataStoreReadWriteAccessor(context)
        defer { accessor.expire() }
        do {
            let value = try block(accessor)
            try context.finish()
            return WriteOutcome(.success(value), hooks: context.committedHooks)
        } catch {
            return WriteOutcome(.failure(error), hooks: context.committedHooks)
        }
    }
}
