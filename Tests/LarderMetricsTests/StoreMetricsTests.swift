#if Metrics
    import CoreMetrics
    import Dispatch
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

        @Test func `count and time look-ups, merges, upgrades, and what takes long`() throws {
            let (metrics, storage) = (TestMetrics(), MemoryStorage())
            let (isLong, isSlow) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let early = MemoryDataStore(storing: [Recipe.self], in: storage)
            try early.setup()
            try early.tearDown()
            var options = DataStoreOptions()
            options.name = "tags"
            options.slowRequestWarning = .zero
            options.slowBlockWarning = .milliseconds(1)
            options.recordMetrics(with: metrics)
            options.diagnostics.append { diagnostic in
                switch (diagnostic.event, diagnostic.block) {
                case (.longBlock, .write): isLong.signal()
                case (.slowBlock, .write): isSlow.signal()
                default: break
                }
            }
            let store = MemoryDataStore(
                storing: [Recipe.self, Tag.self], in: storage, storeOptions: options)
            try store.setup()
            func dimensions(_ kind: String) -> [(String, String)] {
                [("store", "tags"), ("engine", "Memory"), ("kind", kind)]
            }

            try store.writeSync { _ in #expect(isLong.wait(timeout: .now() + 20) == .success) }
            // The thread that has reported the first may report the second.
            #expect(isSlow.wait(timeout: .now() + 20) == .success)
            #expect(try metrics.expectCounter("larder.hanging.blocks", dimensions("write")).totalValue == 1)
            #expect(try metrics.expectTimer("larder.slow.blocks", dimensions("write")).values.count == 1)
            try store.read { accessor in
                _ = try accessor.items(ids: ["a", "b"], of: Tag.self)
                _ = try accessor.items(for: Tag.all)
            }
            #expect(try metrics.expectCounter("larder.lookups", dimensions("read")).totalValue == 2)
            #expect(try metrics.expectCounter("larder.slow.requests", dimensions("read")).totalValue == 1)
            let draft = try store.makeChildDataStore()
            try draft.writeSync { _ = try $0.insert(Tag("a")) }
            try store.merge(draft)
            try draft.discard()
            #expect(try metrics.expectTimer("larder.merges", dimensions("none")).values.count == 1)
            #expect(try metrics.expectTimer("larder.upgrades", dimensions("none")).values.count == 1)
            try store.tearDown()
        }
    }
#endif
