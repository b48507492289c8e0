#if Metrics
    import CoreMetrics
    import Larder
    import LarderMemory
    import LarderMetrics
    import MetricsTestKit
    import Testing

    @testable import AdapterTestSupport

    /// The timers and counters of a store.
    @Suite struct `The metrics of a store` {
        private struct OwnError: Error {}

        @Test func `count and time what it does`() throws {
            let metrics = TestMetrics()
            var options = DataStoreOptions()
            options.name = "tags"
            options.recordMetrics(with: metrics)
            let store = MemoryDataStore(storing: [Tag.self], storeOptions: options)
            try store.setup()

            try store.writeSync { try $0.insert(contentsOf: [Tag("a"), Tag("b")]) }
            _ = try store.read { try $0.items(for: Tag.all) }
            #expect(throws: OwnError.self) { try store.writeSync { _ in throw OwnError() } }

            func dimensions(_ kind: String) -> [(String, String)] {
                [("store", "tags"), ("engine", "Memory"), ("kind", kind)]
            }
            #expect(try metrics.expectCounter("larder.rows", dimensions("insert")).totalValue == 2)
            #expect(try metrics.expectCounter("larder.errors", dimensions("writeSync()")).totalValue == 1)
            #expect(try metrics.expectCounter("larder.rollbacks", dimensions("write")).totalValue == 1)
            #expect(try metrics.expectTimer("larder.requests", dimensions("read")).values.count == 1)
            #expect(try metrics.expectTimer("larder.commits", dimensions("write")).values.count == 1)
            #expect(try metrics.expectTimer("larder.openings", dimensions("none")).values.count == 1)
            try store.tearDown()
        }
    }
#endif
