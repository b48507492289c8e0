/// The end of a write block, and the hooks to run after the writer is released.
package struct WriteOutcome: Sendable {
    package let error: (any Error)?
    package let hooks: [@Sendable () -> Void]

    package init(error: (any Error)?, hooks: [@Sendable () -> Void] = []) {
        self.error = error
        self.hooks = hooks
    }
}
