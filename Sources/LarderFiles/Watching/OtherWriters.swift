package import LarderKernel

/// Calls a body soon after each commit of another process to a store's files.
///
/// A counter that only other processes change distinguishes their commits from the store's own, and from writes that
/// commit nothing.
package final class OtherWriters: StorageWatch {
    private let watch: FileWatch

    /// - Parameters:
    ///   - files: The files that each commit writes to.
    ///   - count: Returns a number that differs after each commit of another process and never otherwise, or nil while
    ///     the store writes or the number would have to be waited for. Called on a thread of the watch. If it throws, it is
    ///     called again as if nothing had changed.
    package init(
        of files: [String], count: @escaping @Sendable () throws(DataStoreError) -> Int?,
        body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) {
        // The first number that is known counts as changed if none is known yet: better once in vain.
        let known = Locked(try? count())
        watch = try FileWatch(files) {
            let answer: Int?
            do throws(DataStoreError) {
                answer = try count()
            } catch {
                return .nothing
            }
            guard let now = answer else { return .undecided }
            let isChanged = known.exchange(now) != now
            if isChanged { body() }
            return isChanged ? .change : .nothing
        }
    }

    package func end() { watch.end() }
}
