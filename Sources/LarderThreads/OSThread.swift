import LarderPlatform

/// Starts threads of the operating system: work that blocks has no place on the cooperative pool, and some
/// engines want a transaction to stay on one thread.
package enum OSThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs the body on a new, detached thread.
    ///
    /// - Returns: True if the operating system gave a thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, stackBytes)
        return start(body, attributes)
    }

    /// The size of a thread's stack, equal to the main thread's.
    ///
    /// So a block that recurses in `writeSync` may do so in `writeAsync`. The systems' own sizes for other
    /// threads are 512 KiB (Darwin) and 128 KiB (musl). Only the pages that are used take memory.
    package static let stackBytes = 8 << 20

    private static func start(
        _ body: @escaping @Sendable () -> Void, _ attributes: UnsafePointer<pthread_attr_t>
    ) -> Bool {
        let argument = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(
                &thread, attributes,
                { argument in
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, argument.toOpaque())
        #else
            var thread = pthread_t()
            let status = pthread_create(
                &thread, attributes,
                { argument in
                    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, argument.toOpaque())
        #endif
        if status != 0 { argument.release() }
        return status == 0
    }
}
