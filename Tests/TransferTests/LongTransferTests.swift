#if os(Linux)
    import Foundation
    import Larder
    import LarderTransfer
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderConformance

    /// A million items, in memory for one batch.
    struct LongTransferTests {
        private static let items = 1_000_000
        private static let allowedBytes = 32 << 20

        @Test(
            .enabled(if: Repetitions.isLong), .serialized,
            arguments: [(Engine.sqlite, Engine.lmdb), (.lmdb, .sqlite)])
        func `a million items are moved and written as text in bounded memory`(
            _ pair: (from: Engine, to: Engine)
        ) throws {
            let folder = try TemporaryFolder()
            let (source, destination) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
            try Self.fill(source)
            let peak = Locked(0)
            let before = Self.anonymousBytes
            var transfer = StoreTransfer(from: source.address, to: destination.address)
            transfer.options.progress = { _ in peak.withLock { $0 = max($0, Self.anonymousBytes) } }

            let report = try transfer.run()

            #expect(report.copiedItems == Self.items)
            #expect(peak.withLock { $0 } - before < Self.allowedBytes)
            print(
                """
                \(pair.from) to \(pair.to): \(Self.items) items in \(report.duration), \
                \((peak.withLock { $0 } - before) >> 10) KiB more memory at the peak
                """)
            try Self.exportAndImport(
                destination, into: folder.place(pair.from, "imported"), by: folder.file("lines"))
        }

        private static func fill(_ place: Place) throws {
            try place.withStore(storing: [Keyed<Int64>.self]) { store in
                for start in stride(from: 0, to: items, by: 10_000) {
                    try store.writeSync { accessor in
                        try accessor.insert(
                            contentsOf: (start..<(start + 10_000)).map { number in
                                Keyed(Int64(number), label: "the item number \(number)", rank: number % 1000)
                            })
                    }
                }
            }
        }

        private static func exportAndImport(_ place: Place, into other: Place, by file: URL) throws {
            try Data().write(to: file)
            let before = anonymousBytes
            let peak = Locked(0)
            var options = StoreTransferOptions()
            options.progress = { _ in peak.withLock { $0 = max($0, Self.anonymousBytes) } }
            let output = try FileHandle(forWritingTo: file)
            let store = try UntypedStore(reading: place.address)
            let exported = try store.read { reader in
                try JSONLinesExport(of: reader, options: options).run { try output.write(contentsOf: $0) }
            }
            try store.close()
            try output.close()
            let input = try FileHandle(forReadingFrom: file)
            let imported = try JSONLinesImport(into: other.address, options: options).run {
                try input.read(upToCount: 1 << 16)
            }
            try input.close()
            #expect(imported.digests == exported.digests)
            #expect(peak.withLock { $0 } - before < allowedBytes)
            print(
                """
                exported from \(place.engine) in \(exported.duration), \
                imported into \(other.engine) in \(imported.duration), \
                \((peak.withLock { $0 } - before) >> 10) KiB more memory at the peak
                """)
        }

        /// The memory of the process that is no file's.
        private static var anonymousBytes: Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            let digits = line?.filter(\.isNumber) ?? ""
            return (Int(digits) ?? 0) << 10
        }
    }
#endif
