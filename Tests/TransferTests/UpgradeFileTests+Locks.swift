#if os(Linux)
    import Foundation
    import Larder
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderConformance

    // LMDB's locks beside a store that an upgrade in a copy has replaced, while another process has waited for those of
    // the old file.
    extension UpgradeFileTests {
        /// A store of the first version, after an odd number of commits more if that is asked for: the number decides which
        /// of the two first pages LMDB reads.
        private func filled(isLater: Bool) throws -> URL {
            let url = try filled(.lmdb)
            guard isLater else { return url }
            let old = Self.makeStore(.lmdb, at: url, storing: SchemaHistory([Self.versions[0]]))
            try old.setup()
            try old.writeSync { _ = try $0.insert(One(50, .integer(1))) }
            try old.writeSync { _ = try $0.update(One(50, .integer(2))) }
            try old.writeSync { _ = try $0.delete(id: 50, of: One.self) }
            try old.tearDown()
            return url
        }

        @Test(arguments: [false, true])
        func `an upgraded file is whole though another process has waited in LMDB for the old one's locks`(
            _ isLater: Bool
        ) throws {
            let url = try filled(isLater: isLater)
            let waiting = WaitingProcess(for: url.adding("-lock"))

            #expect(try Self.upgrade(.lmdb, at: url, by: .copying()))
            #expect(waiting.takeLock())

            try Self.expectNew(.lmdb, at: url)
            try Self.expectNew(.lmdb, at: url)
        }

        /// A process killed between the two renames of a replacement leaves the new file and the old locks.
        @Test(arguments: [false, true])
        func `an upgraded file is not opened with locks of the old one, while another process holds them`(
            _ isLater: Bool
        ) throws {
            let url = try filled(isLater: isLater)
            let lockURL = url.adding("-lock")
            let oldLocks = try Data(contentsOf: lockURL)
            #expect(try Self.upgrade(.lmdb, at: url, by: .copying()))
            try oldLocks.write(to: lockURL)
            let waiting = WaitingProcess(for: lockURL)
            #expect(waiting.takeLock())

            #expect(code { try Self.makeStore(.lmdb, at: url).setup() } == .busy)

            waiting.exit()
            try Self.expectNew(.lmdb, at: url)
            try Self.expectNew(.lmdb, at: url)
        }
    }
#endif
