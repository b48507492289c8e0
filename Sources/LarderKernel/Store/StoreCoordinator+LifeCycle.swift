import LarderDiagnostics

// Opening, closing and destroying are each one critical section of the life cycle, which knows the thread that has it.

extension StoreCoordinator {
    /// Opens the store.
    ///
    /// - Returns: The changes of its schema; nil if there were none, or the store is new or was open.
    @discardableResult
    package func setup() throws(DataStoreError) -> StoreMigration? {
        try reporting("setup()") { () throws(DataStoreError) in try open() }
    }

    private func open() throws(DataStoreError) -> StoreMigration? {
        // Open, as a block is running; the lock may belong to a tearDown() that waits for the block.
        if ThreadBlocks.current.isInside(self) { return nil }
        let migration = Locked<StoreMigration?>(nil)
        let backup = Locked<SchemaBackup?>(nil)
        // Also if something throws afterwards: the backup is not made a second time.
        defer { reportBackup(backup.withLock { $0 }) }
        let aside = try lifeCycle.withLock { () throws(DataStoreError) -> SetAsideStore? in
            if gate.isOpen {
                try parent?.requireOpen()
                return nil
            }
            try gate.requireNotDiscarded(self)
            let known = untypedSchema ?? parent?.gate.schema?.ofChild()
            let schema = if let known { known } else { try declaredSchema() }
            let aside: SetAsideStore?
            let (start, clock) = (ContinuousClock.now, UpgradeStepClock(diagnostics))
            do throws(DataStoreError) {
                var plan: MigrationPlan? = known == nil ? self.plan(noting: backup, clock) : nil
                plan?.allowed = options.allowedMigration
                plan?.report = { made in migration.withLock { $0 = made } }
                aside = try openAdapter(schema, by: plan)
            } catch {
                events.note(error)
                throw error
            }
            let upgradeTime = start.duration(to: .now)
            clock.finish()
            broadcaster.start()
            listeners.open()
            if options.slowBlockWarning != nil { BlockWatchdog.shared.add(gate, diagnostics) }
            gate.open(
                schema, rules: options.rules,
                maximumReaders: options.maximumReaders ?? adapter.maximumReaders,
                blockLimit: options.blockLimit)
            // An observation may have begun just before.
            otherWriters.update(for: self)
            if let made = migration.withLock({ $0 }) {
                diagnostics.send(.upgraded(steps: made.steps, upgradeTime))
                events.send(.migrated(made))
            }
            diagnostics.send(.opened(start.duration(to: .now)))
            events.send(.opened)
            return aside
        }
        if let aside, case .recreate(let report) = options.recovery { report(aside) }
        return migration.withLock { $0 }
    }

    private func declaredSchema() throws(DataStoreError) -> StoreSchema {
        if let versions = options.versions {
            try versions.schemaOfTypes()
        } else {
            try StoreSchema(storing: itemTypes)
        }
    }

    /// The steps that bring a store of an earlier version to the current types; small changes only without versions.
    private func plan(noting backup: Locked<SchemaBackup?>, _ clock: UpgradeStepClock) -> MigrationPlan {
        let made = options.versions?.plan { [report = options.schemaProgress] progress in
            clock.note(progress.step, progress.phase, rows: progress.done)
            report?(progress)
        }
        guard var plan = made ?? options.migration else { return .smallChanges }
        plan.mode = options.schemaUpgrade
        plan.probe = options.upgradeProbe
        if case .copying(.some) = options.schemaUpgrade {
            plan.mode = .copying(keepingBackup: { kept in backup.withLock { $0 = kept } })
        }
        return plan
    }

    private func reportBackup(_ backup: SchemaBackup?) {
        if let backup, case .copying(let report?) = options.schemaUpgrade { report(backup) }
    }

    package func tearDown() throws(DataStoreError) {
        try reporting("tearDown()") { () throws(DataStoreError) in
            try requireOutside("tearDown()")
            try lifeCycle.withLock { () throws(DataStoreError) in try close() }
        }
    }

    /// *Rule:* the caller has the life cycle, for all that it does with the store: another thread that waits
    /// in `setup()` opens it before or afterwards.
    private func close() throws(DataStoreError) {
        guard gate.isOpen else { return }
        try closeGate()
        otherWriters.end()
        broadcaster.finish()
        writer.stop()
        callbacks.stop()
        // The gate is closed, even if the engine cannot close its file.
        events.send(.closed)
        diagnostics.sendInOrder(.closed)
        try adapter.close()
    }

    /// Lets all blocks end, the pending writes first, and no new ones in.
    ///
    /// - Throws: `.wouldDeadlock` when one of them waits for the calling thread; the gate stays open then.
    private func closeGate() throws(DataStoreError) {
        let thread = ThreadBlocks.current
        try acquireTurn()
        do {
            defer { writer.release() }
            try thread.beginWaiting(for: .end(gate))
            // Before blocks are refused, so that no observation takes that for an error.
            listeners.close(under: parent)
            gate.close()
            reusableWriting.forget()
        } catch {
            throw DataStoreError(error)
        }
        gate.waitUntilEmpty()
        BlockWatchdog.shared.remove(gate)
        thread.endWaiting()
    }

    /// - Parameter isDiscarding: True for a child that is never opened again.
    package func destroy(isDiscarding: Bool = false) throws(DataStoreError) {
        try reporting(isDiscarding ? "discard()" : "destroy()") { () throws(DataStoreError) in
            try requireOutside(isDiscarding ? "discard()" : "destroy()")
            // Before the store is closed: one that is not destroyed does not change.
            if adapter.isReadOnly { throw DataStoreError.readOnly(destroying: adapter.location) }
            try lifeCycle.withLock { () throws(DataStoreError) in
                try close()
                try adapter.destroy()
                if isDiscarding { gate.noteDiscarding() }
            }
        }
    }
}
