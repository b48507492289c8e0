/// What became of a write block, and what is to run after the writer is released.
struct WriteOutcome: Sendable {
    let error: (any Error)?
    var hooks: [@Sendable () -> Void] = []
}
