import LarderDiagnostics

// MARK: Write blocks

extension StoreCoordinator {
    /// Runs a block on the calling thread when its turn has come, and commits.
    @usableFromInline
    func write(_ terms: WriteTerms, _ block: (DataStoreReadWriteAccessor) throws -> Void) throws {
        try reporting("writeSync()") {
            try requireOutside("writeSync()")
            let outcome = try withTurn { runAlone(terms, block) }
            for hook in outcome.hooks { hook() }
            if let error = outcome.error { throw error }
        }
    }

    /// Lets a block wait for its turn on the writer's thread.
    @usableFromInline
    func enqueue(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void, on terms: WriteTerms,
        completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        // A call that waited for room inside a block or a completion might wait for itself.
        let limit = ThreadBlocks.current.mayWait ? options.maximumPendingWrites : .max
        enqueue(
            PendingWrite(
                .block(block, terms), in: self, telling: completion.map { .completion($0) } ?? .store),
            limit: limit)
    }

    /// Lets a block wait for its turn on the writer's thread, and awaits its end.
    @usableFromInline
    func enqueue(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void, on terms: WriteTerms
    ) async throws {
        try await PendingWrite.answer { listener in
            enqueue(PendingWrite(.block(block, terms), in: self, telling: listener))
        }
    }

    func flush() throws(DataStoreError) {
        try reporting("flush()") { () throws(DataStoreError) in
            try requireOutside("flush()")
            try requireOpen()
            try withTurn {}
        }
    }

    func flush() async throws {
        try reporting("flush()") { () throws(DataStoreError) in try requireOpen() }
        try await PendingWrite.answer { listener in
            let waiting = PendingWrite(.wait, in: self, telling: listener)
            do throws(ThreadRefusal) {
                try writer.enqueue(waiting)
            } catch {
                waiting.notifyListener(DataStoreError(error))
            }
        }
    }
}

extension StoreCoordinator {
    func enqueue(_ write: PendingWrite, limit: Int = .max) {
        do throws(DataStoreError) { try requireOpen() } catch { return write.endUndone(because: error) }
        do { try writer.enqueue(write, limit: limit) } catch { write.endUndone(because: error) }
    }

    /// Runs a write and those queued after it in one engine transaction, then reports all outcomes.
    ///
    /// The caller has the writer's turn, which ends here. A `writeSync` that waits ends the batch, so that
    /// the order of the calls is kept.
    func runBatch(startingWith first: PendingWrite) {
        if first.runsAlone {
            first.role.run { first.runAlone() }
            return writer.release { answer([first], nil) }
        }
        let batch = WriteBatch(of: self)
        var writes: [PendingWrite] = []
        var next: PendingWrite? = first
        while let write = next {
            write.role.run { write.run(in: batch) }
            writes.append(write)
            // No other kind of write is in the queue of a store.
            next = batch.isFull ? nil : writer.takeNextWrite() as? PendingWrite
        }
        let failure = batch.commit()
        writer.release { answer(writes, failure) }
    }

    /// Answers those who await at once, and calls everything else on a thread that may block and call the store again.
    private func answer(_ writes: [PendingWrite], _ failure: DataStoreError?) {
        var slow: [PendingWrite] = []
        for write in writes {
            if write.runsForeignCode { slow.append(write) } else { write.answer(failureOfBatch: failure) }
        }
        writer.noteAnswered(writes.count - slow.count)
        if slow.isEmpty { return }
        callBack { [writer, slow] in
            for write in slow {
                write.answer(failureOfBatch: failure)
                writer.noteAnswered(1)
            }
        }
    }

    /// Runs a block in a transaction of its own; the caller has the writer's turn.
    package func runAlone(
        _ terms: WriteTerms, _ block: (DataStoreReadWriteAccessor) throws -> Void
    ) -> WriteOutcome {
        do throws(DataStoreError) {
            let thread = ThreadBlocks.current
            let context = try gate.enter(self, on: thread, for: .other)
            defer { gate.leave(context, on: thread) }
            try context.beginWriting()
            return run(block, in: WriteBlock(in: context, sharing: .alone, on: terms))
        } catch {
            events.note(error)
            return WriteOutcome(error: error)
        }
    }

    /// Begins the write transaction, with the memory of the last one if the engine can restart it.
    ///
    /// *Rule:* the caller has the writer's turn.
    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try reusableWriting.begin { ended throws(DataStoreError) in
            try ended.beginAgain()
        } new: { () throws(DataStoreError) in
            try adapter.beginWriting()
        }
    }

    /// Runs a block, and commits it unless it shares its transaction.
    func run(
        _ body: (DataStoreReadWriteAccessor) throws -> Void, in block: WriteBlock
    ) -> WriteOutcome {
        let accessor = DataStoreReadWriteAccessor(block)
        defer {
            accessor.expire()
            block.close()
        }
        do {
            try body(accessor)
            try block.finish()
            return WriteOutcome(error: nil, hooks: block.committedHooks)
        } catch {
            events.note(error)
            block.context.reportRollBack(error)
            return WriteOutcome(error: error, hooks: block.committedHooks)
        }
    }
}
