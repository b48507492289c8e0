#if canImport(os)
    import LarderDiagnostics
    public import LarderKernel
    public import os

    extension DataStoreOptions {
        /// Marks what the store does in a trace of Instruments, each event as a signpost with its text.
        ///
        /// ```swift
        /// options.emitSignposts(to: OSSignposter(subsystem: "com.example.recipes", category: .pointsOfInterest))
        /// ```
        ///
        /// *Rule:* called once, before the store is made. *Cost:* nothing is written unless a trace is recorded.
        public mutating func emitSignposts(to signposter: OSSignposter) {
            diagnostics.append { diagnostic in
                guard signposter.isEnabled else { return }
                signposter.emitEvent("Larder", "\(diagnostic.store): \(diagnostic.description)")
            }
        }
    }
#endif
