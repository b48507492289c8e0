#if PostgreSQL
    import LarderKernel

    extension ServerSession {
        func setSavepoint() throws(DataStoreError) {
            if let failure { throw failure }
            pending.append(commands.setSavepoint)
        }

        func releaseSavepoint() throws(DataStoreError) {
            if let failure { throw failure }
            if !removeUnsentSavepoint() { pending.append(commands.releaseSavepoint) }
        }

        func rollBackToSavepoint() throws(DataStoreError) {
            if let failure, ServerFailure.isFatal(failure) || !hasBegun { throw failure }
            failure = nil
            if couldNotBegin { endBeginning() }
            if removeUnsentSavepoint() { return }
            pending += [commands.rollBackToSavepoint, commands.releaseSavepoint]
        }

        /// Lets the next request begin the transaction again: the answer of the store's check was lost with the first one,
        /// before which there was nothing but savepoints.
        private func endBeginning() {
            connection.post([commands.rollBack])
            (hasBegun, couldNotBegin) = (false, false)
        }

        private func removeUnsentSavepoint() -> Bool {
            guard pending.last?.statement === commands.setSavepoint.statement else { return false }
            pending.removeLast()
            return true
        }
    }
#endif
