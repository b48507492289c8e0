/// The handlers of errors that a thread runs, or whose work it does.
///
///     let role = ThreadRole.current
///     onAnotherThread { role.run { work() } }
///
/// Errors of their own calls would call them without end, and may be met by another thread.
package struct ThreadRole: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let diagnostics = ThreadRole(rawValue: 1)
    package static let errorHandler = ThreadRole(rawValue: 2)

    /// The role of the calling thread.
    package static var current: ThreadRole { ThreadBlocks.current.state.pointee.role }

    /// Runs a body in this role.
    package func run(_ body: () -> Void) {
        let state = ThreadBlocks.current.state
        let before = state.pointee.role
        state.pointee.role = self
        defer { state.pointee.role = before }
        body()
    }
}
