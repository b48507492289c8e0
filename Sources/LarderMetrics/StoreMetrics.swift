#if Metrics
    public import CoreMetrics
    public import LarderKernel
    import LarderDiagnostics

    extension DataStoreOptions {
        /// Counts and times what the store does, with swift-metrics.
        ///
        /// ```swift
        /// var options = DataStoreOptions()
        /// options.recordMetrics()
        /// let store = SQLiteDataStore(at: url, storing: [Recipe.self], storeOptions: options)
        /// ```
        ///
        /// | metric | what it is |
        /// |---|---|
        /// | `larder.requests`, `larder.commits`, `larder.merges`, `larder.openings`, `larder.upgrades` | timers |
        /// | `larder.slow.blocks` | a timer of the blocks that took longer than their limit |
        /// | `larder.hanging.blocks` | a counter of those that were still open then |
        /// | `larder.slow.requests`, `larder.rollbacks`, `larder.errors` | counters |
        /// | `larder.lookups` | a counter of identifiers |
        /// | `larder.rows` | a counter of written rows |
        ///
        /// All have the dimensions `store`, `engine` and `kind`: the kind of block, for rows the kind of change, for errors
        /// the call, or `none`. Give the store a name, as its place may be a long path.
        ///
        /// *Rule:* called once, before the store is made. *Cost:* a metric of swift-metrics for each event; with it,
        /// requests and commits are timed.
        ///
        /// - Parameter factory: Makes the metrics; by default the app's `MetricsSystem.factory`.
        public mutating func recordMetrics(with factory: (any MetricsFactory)? = nil) {
            diagnostics.append { diagnostic in
                StoreMetrics(factory: factory ?? MetricsSystem.factory, diagnostic: diagnostic).record()
            }
        }
    }

    /// The metrics of one event.
    private struct StoreMetrics {
        let factory: any MetricsFactory
        let diagnostic: DataStoreDiagnostic

        func record() {
            let block = diagnostic.block?.rawValue ?? "none"
            switch diagnostic.event {
            case .opened(let duration): time("openings", block, duration)
            case .upgraded(_, let duration): time("upgrades", block, duration)
            case .request(_, _, let duration): time("requests", block, duration)
            case .committed(_, let duration): time("commits", block, duration)
            case .merged(_, _, _, let duration): time("merges", block, duration)
            case .slowBlock(let duration): time("slow.blocks", block, duration)
            case .longBlock: count("hanging.blocks", block)
            case .slowRequest: count("slow.requests", block)
            case .rolledBack: count("rollbacks", block)
            case .lookUp(_, _, let asked, _, _): count("lookups", block, by: asked)
            case .wrote(let change, _, let rows, _): count("rows", change.rawValue, by: rows)
            case .failed(let failure): count("errors", failure.call)
            case .closed, .upgradeStep, .difficulty: break
            }
        }

        private func dimensions(_ kind: String) -> [(String, String)] {
            [("store", diagnostic.store), ("engine", diagnostic.engine), ("kind", kind)]
        }

        private func count(_ name: String, _ kind: String, by number: Int = 1) {
            Counter(label: "larder.\(name)", dimensions: dimensions(kind), factory: factory).increment(
                by: number)
        }

        private func time(_ name: String, _ kind: String, _ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            Timer(label: "larder.\(name)", dimensions: dimensions(kind), factory: factory)
                .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
    }
#endif
