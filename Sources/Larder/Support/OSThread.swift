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
        let argument = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(
                &thread, nil,
                { argument in
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, argument.toOpaque())
            if status == 0, let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, argument.toOpaque())
            if status == 0 { pthread_detach(thread) }
        #endif
        if status != 0 { argument.release() }
        return status == 0
    }
}
