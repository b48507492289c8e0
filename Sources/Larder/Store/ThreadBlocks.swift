#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The blocks that are running on one thread, innermost last: how a nested call is recognised.
///
/// Blocks are synchronous, so a thread is in a block until the block ends. *Rule:* touched by its own thread
/// only. *Cost:* a look-up of about 5 ns.
final class ThreadBlocks {
    // reason for unchecked: touched by its own thread only, never while another access to it runs.
    // reason for unowned(unsafe): whoever runs a block keeps its context, and takes it out before letting it go.
    @exclusivity(unchecked) private unowned(unsafe) var innermost: BlockContext?

    /// The blocks of the calling thread.
    static var current: ThreadBlocks {
        if let known = pthread_getspecific(key) {
            return Unmanaged<ThreadBlocks>.fromOpaque(known).takeUnretainedValue()
        }
        let blocks = ThreadBlocks()
        pthread_setspecific(key, Unmanaged.passRetained(blocks).toOpaque())
        return blocks
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { blocks in
            #if canImport(Darwin)
                Unmanaged<ThreadBlocks>.fromOpaque(blocks).release()
            #else
                if let blocks { Unmanaged<ThreadBlocks>.fromOpaque(blocks).release() }
            #endif
        }
        return key
    }()

    func push(_ context: BlockContext) {
        context.outer = innermost
        innermost = context
    }

    func pop() {
        guard let context = innermost else { return }
        innermost = context.outer
        context.outer = nil
    }

    /// The innermost block that is what is looked for.
    @inline(__always)
    private func block(where isWanted: (BlockContext) -> Bool) -> BlockContext? {
        var next = innermost
        while let context = next {
            if isWanted(context) { return context }
            next = context.outer
        }
        return nil
    }

    /// Whether the thread runs completions and hooks.
    var isCallingBack = false

    /// Whether the thread may wait for a writer without waiting for itself: it is in no block, and no
    /// completion, of any store.
    var mayWait: Bool { innermost == nil && !isCallingBack }

    /// Whether the thread is in any block of the store.
    func isInside(_ store: StoreCoordinator) -> Bool {
        block { $0.store === store } != nil
    }

    /// The read block of the store that the thread is in, for a nested read to join.
    func readBlock(of store: StoreCoordinator) -> BlockContext? {
        block { $0.store === store && !$0.isWriting }
    }

    /// Whether the thread holds the writer of any store.
    var holdsWriter: Bool {
        block(where: \.isWriting) != nil
    }
}
