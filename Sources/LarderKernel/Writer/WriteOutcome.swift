/// The end of a write block, and the hooks to run after the writer is released.
struct WriteOutcome: Sendable {
    let error: (any Error)?
    var hooks: [@Sendable () -> Void] = []
}
