#if PostgreSQL
    import LarderKernel

    extension ServerSession {
        func setSavepoint() throws(DataStoreError) {
            if let failure { throw failure }
            enqueue(commands.setSavepoint)
        }

        func releaseSavepoint() throws(DataStoreError) {
            if let failure { throw failure }
            if !removeUnsentSavepoint() { enqueue(commands.releaseSavepoint) }
        }

        func rollBackToSavepoint() throws(DataStoreError) {
            if let failure, ServerFailure.isFatal(failure) || !hasBegun { throw failure }
            failure = nil
            if couldNotBegin { endBeginning() }
            if removeUnsentSavepoint() { return }
            enqueue(commands.rollBackToSavepoint)
            enqueue(commands.releaseSavepoint)
        }

        /// Lets the next request begin the transaction again: the answer of the store's check was lost with the first one,
        /// before which there was nothing but savepoints.
        private func endBeginning() {
            connection.post([ServerRequest(statement: commands.rollBack)])
            (hasBegun, couldNotBegin) = (false, false)
        }

        private func removeUnsentSavepoint() -> Bool {
            guard pending.last?.statement === commands.setSavepoint else { return false }
            pending.removeLast()
            return true
        }
    }
#endif
