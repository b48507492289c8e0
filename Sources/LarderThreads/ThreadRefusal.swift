/// The reason why a thread does not wait, or why there is none.
@usableFromInline
package enum ThreadRefusal: Error {
    /// The calling thread has the writer's turn, so it would wait for itself.
    case ownTurn
    /// The calling thread has the life cycle, so it would wait for itself.
    case ownLifeCycle
    /// The writer waits, directly or through others, for the calling thread.
    case turn
    /// All readers wait, directly or through others, for the calling thread.
    case place
    /// A block waits, directly or through others, for the calling thread.
    case end
    /// The owner of the life cycle waits, directly or through others, for the calling thread.
    case lifeCycle
    /// The operating system gave no thread.
    case noThread
}
