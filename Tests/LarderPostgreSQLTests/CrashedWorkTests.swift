#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import LarderPostgreSQL
    import LarderSQLite
    import LarderTransfer
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// A server that is killed while children are merged, schema steps run and stores move.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct CrashedWorkTests {
        @Test func `merges that were reported are whole, and those that were refused are not there`()
            async throws
        {
            let merges = try await Self.onServer { server in
                try Self.merge(rounds: Repetitions.count(1, long: 100), on: server)
            }

            let stored = Set(merges.stored.keys)
            #expect(merges.others == [])
            #expect(Set(merges.stored.values) == [4])
            #expect(merges.reported.subtracting(stored) == [])
            #expect(stored.subtracting(merges.reported).subtracting(merges.uncertain) == [])
        }

        @Test func `a schema step on a killed server leaves the old version, and the next opening takes it`()
            async throws
        {
            let problems = try await Self.onServer { server in try Self.takeSteps(on: server) }

            #expect(problems == [])
        }

        @Test func `a server killed at the commit of a schema step has the old version or the new one`()
            async throws
        {
            let trials = Repetitions.count(4, long: 100)

            let problems = try await Self.onServer { server in
                try (0..<trials).flatMap { try Self.commitStep(on: server, isBefore: $0 % 2 == 0) }
            }

            #expect(problems == [])
        }

        @Test func `a move that meets a killed server is continued, and half a copy is not opened`()
            async throws
        {
            let problems = try await Self.onServer { server in
                try Self.moveAgainAndAgain(Repetitions.count(1, long: 50), on: server)
            }

            #expect(problems == [])
        }

        /// Runs a body with a server of its own, on a thread of its own.
        private static func onServer<Value: Sendable>(
            _ body: @escaping @Sendable (TestServer) throws -> Value
        ) async throws -> Value {
            try await onOwnThread {
                guard let server = try TestServer.another() else { throw IsNotInstalled() }
                defer { try? server.end() }
                return try body(server)
            }
        }

        private struct IsNotInstalled: Error {}
        private struct TookTooLong: Error {}
    }

    // MARK: Merges

    extension CrashedWorkTests {
        /// The outcome of merges, by their numbers.
        private struct Merges: Sendable {
            var reported: Set<Int64> = []
            /// The merges of which nothing is known.
            var uncertain: Set<Int64> = []
            /// The errors that no crash should cause.
            var others: [String] = []
            /// The number of items that are stored of each merge.
            var stored: [Int64: Int] = [:]

            mutating func note(_ number: Int64, _ error: (any Error)?) {
                guard let error else {
                    reported.insert(number)
                    return
                }
                let code = (error as? DataStoreError)?.code
                if code == .commitUncertain {
                    uncertain.insert(number)
                } else if code != .connectionLost, code != .busy {
                    others.append("\(error)")
                }
            }
        }

        /// Merges children while the server is killed again and again.
        private static func merge(rounds: Int, on server: TestServer) throws -> Merges {
            let world = PostgreSQLWorld(on: server)
            let store: any DataStore = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self])
            try store.setup()
            let merges = Locked(Merges())
            let isDone = Locked(false)

            try whileRunning {
                var number: Int64 = 0
                while !isDone.withLock({ $0 }) {
                    number += 1
                    do {
                        try Self.mergeChild(into: store, number)
                        merges.withLock { $0.note(number, nil) }
                    } catch {
                        merges.withLock { $0.note(number, error) }
                    }
                }
            } do: {
                defer { isDone.withLock { $0 = true } }
                for _ in 0..<rounds {
                    try Self.waitForFive(merges)
                    try server.crash()
                    try server.start()
                }
                try Self.waitForFive(merges)
            }

            let ids = try store.read { try $0.ids(for: Recipe.all) }
            try store.tearDown()
            try world.cleanUp()
            var outcome = merges.withLock { $0 }
            for id in ids { outcome.stored[id / 4, default: 0] += 1 }
            return outcome
        }

        private static func mergeChild(into store: any DataStore, _ number: Int64) throws {
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                for id in number * 4..<number * 4 + 4 { try accessor.insert(Recipe(id)) }
            }
            try store.merge(child)
        }

        /// Waits until five more merges were reported.
        private static func waitForFive(_ merges: Locked<Merges>) throws {
            let end = ContinuousClock.now + .seconds(60)
            let count = merges.withLock { $0.reported.count } + 5
            while merges.withLock({ $0.reported.count }) < count {
                guard ContinuousClock.now < end else { throw TookTooLong() }
                usleep(2000)
            }
        }
    }

    // MARK: Schema steps

    extension CrashedWorkTests {
        private static let recipes = (1...300 as ClosedRange<Int64>).map { Recipe($0) }

        /// A place in an upgrade at which the server is killed.
        private struct Pause {
            let isCopying: Bool
            /// The number of the report of its progress, from 0.
            let report: Int
        }

        private static func takeSteps(on server: TestServer) throws -> [String] {
            var random = Seed.ofProcess()
            var pauses: [Pause] = []
            for isCopying in [false, true] {
                // Before the first row, after 256 of them, and after all.
                for report in 0..<3 { pauses.append(Pause(isCopying: isCopying, report: report)) }
            }
            pauses.shuffle(using: &random)
            var problems: [String] = []
            for pause in pauses.prefix(Repetitions.count(1, long: 6)) {
                problems += try takeStep(on: server, pause).map { "\(pause): \($0)" }
            }
            return problems
        }

        private static func takeStep(on server: TestServer, _ pause: Pause) throws -> [String] {
            let world = PostgreSQLWorld(on: server)
            var problems: [String] = []
            let old = try makeOld(in: world)
            let reports = Locked(0)
            let failure = Locked<String?>(nil)
            var options = DataStoreOptions()
            options.schemaUpgrade = pause.isCopying ? .copying() : .inPlace
            let last = pause.report
            options.schemaProgress = { _ in
                let number: Int = reports.withLock { reports in
                    reports += 1
                    return reports - 1
                }
                if number != last { return }
                do {
                    try server.crash()
                    try server.start()
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
            let new: any DataStore = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: FaultJourney.history(ofVersions: 2), storeOptions: options)
            let error = thrown { try new.setup() }
            if error?.code != .connectionLost { problems.append("\(error, default: "no error")") }
            if let failure = failure.withLock({ $0 }) { problems.append(failure) }
            try server.waitUntilReady()

            let address = StoreAddress.postgreSQL(world.connection, schema: world.schema)
            let version = try address.storedSchema()?.version
            if version != "1" { problems.append("the store has version \(version ?? "nil")") }
            problems += try read(old) + finish(new)
            try world.cleanUp()
            return problems
        }

        /// - Parameter isBefore: True to kill the server before the commit is sent, false to kill it meanwhile.
        private static func commitStep(on server: TestServer, isBefore: Bool) throws -> [String] {
            enum State { case begun, reported, killed }
            let world = PostgreSQLWorld(on: server)
            let old = try makeOld(in: world)
            let crash = Crash(of: server)
            let state = Locked(State.begun)
            var storeOptions = DataStoreOptions()
            storeOptions.schemaProgress = { _ in
                state.withLock { if $0 == .begun { $0 = .reported } }
            }
            var options = PostgreSQLOptions()
            // The steps of an upgrade are one transaction.
            options.journeyProbe = { statements in
                if statements != ["COMMIT"] { return }
                let isCommitOfSteps: Bool = state.withLock { state in
                    if state != .reported { return false }
                    state = .killed
                    return true
                }
                if !isCommitOfSteps { return }
                crash.begin()
                if isBefore { try? crash.end() }
            }
            let new: any DataStore = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: FaultJourney.history(ofVersions: 2), options: options, storeOptions: storeOptions)

            let error = thrown { try new.setup() }
            try crash.end()
            if error == nil { try new.tearDown() }

            var problems: [String] = []
            if state.withLock({ $0 }) != .killed { problems.append("no commit was met") }
            let address = StoreAddress.postgreSQL(world.connection, schema: world.schema)
            let version = try address.storedSchema()?.version ?? "nil"
            let codes: [DataStoreError.Code?] =
                isBefore ? [.commitUncertain] : [nil, .commitUncertain, .connectionLost, .busy]
            let versions = isBefore ? ["1"] : error == nil ? ["2"] : ["1", "2"]
            if !codes.contains(error?.code) || !versions.contains(version) {
                problems.append("version \(version) after \(error, default: "no error")")
            }
            if version == "1" { problems += try read(old) }
            problems += try finish(new)
            try world.cleanUp()
            return problems.map { "\(isBefore ? "before" : "at") the commit: \($0)" }
        }

        /// Makes a store of the old version, which is closed.
        private static func makeOld(in world: PostgreSQLWorld) throws -> any DataStore {
            let old: any DataStore = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: FaultJourney.history(ofVersions: 1))
            try old.setup()
            try old.writeSync { try $0.insert(contentsOf: recipes) }
            try old.tearDown()
            return old
        }

        private static func read(_ old: any DataStore) throws -> [String] {
            try old.setup()
            let kept = try old.read { try $0.items(for: Recipe.all) }
            try old.tearDown()
            return kept == recipes ? [] : ["the old version has \(kept.count) items, or others"]
        }

        /// Opens the store by the new version, and compares what it holds.
        private static func finish(_ new: any DataStore) throws -> [String] {
            try new.setup()
            let made = try new.read { try $0.items(for: LaterRecipe.all) }
            try new.tearDown()
            return made == recipes.map({ LaterRecipe($0) }) ? [] : ["the new version has \(made)"]
        }
    }

    // MARK: Moves

    extension CrashedWorkTests {
        /// A kill and a new start of a server while something else runs.
        private final class Crash: @unchecked Sendable {
            // reason: all properties are constants that may be used by any thread.
            private let server: TestServer
            private let ended = DispatchSemaphore(value: 0)
            private let hasBegun = Locked(false)
            private let failure = Locked<(any Error)?>(nil)

            init(of server: TestServer) { self.server = server }

            /// Begins the crash, and waits for nothing.
            func begin() {
                hasBegun.withLock { $0 = true }
                Thread.detachNewThread { [self] in
                    do {
                        try server.crash()
                        try server.start()
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    ended.signal()
                }
            }

            /// Waits until the server takes connections again; at once if there was no crash, or if it has waited before.
            func end() throws {
                if !hasBegun.withLock({ $0 }) { return }
                ended.wait()
                ended.signal()
                if let failure = failure.withLock({ $0 }) { throw failure }
                try server.waitUntilReady()
            }
        }

        private static func moveAgainAndAgain(_ rounds: Int, on server: TestServer) throws -> [String] {
            var random = Seed.ofProcess()
            let folder = try TemporaryFolder()
            var problems: [String] = []
            for round in 0..<rounds {
                for isToServer in [true, false] {
                    let world = PostgreSQLWorld(on: server)
                    let file = folder.file("store-\(round)-\(isToServer)")
                    let addresses: [StoreAddress] = [
                        .sqlite(at: file), .postgreSQL(world.connection, schema: world.schema),
                    ]
                    let stores: [any DataStore] = [
                        SQLiteDataStore(at: file, storing: [Recipe.self]),
                        PostgreSQLDataStore(
                            connection: world.connection, schema: world.schema, storing: [Recipe.self]),
                    ]
                    let (from, to) = isToServer ? (0, 1) : (1, 0)
                    try fill(stores[from])
                    let transfer = StoreTransfer(from: addresses[from], to: addresses[to])
                    // Some hundred reports make a move.
                    let report = random.number(below: 80)
                    let found = try move(transfer, crashing: server, at: report, opening: stores[to])
                    let place = "round \(round), \(isToServer ? "to" : "from") the server, report \(report)"
                    problems += found.map { "\(place): \($0)" }
                    try world.cleanUp()
                }
            }
            return problems
        }

        private static func fill(_ store: any DataStore) throws {
            try store.setup()
            let recipes = (1...2000 as ClosedRange<Int64>).map { Recipe($0) }
            try store.writeSync { try $0.insert(contentsOf: recipes) }
            try store.tearDown()
        }

        /// Runs a transfer during which the server is killed, and again if it has not ended.
        ///
        /// - Parameter copy: The store that it makes, for the app.
        private static func move(
            _ given: StoreTransfer, crashing server: TestServer, at report: Int, opening copy: any DataStore
        ) throws -> [String] {
            let crash = Crash(of: server)
            let reports = Locked(0)
            var transfer = given
            transfer.options.itemsPerBatch = 20
            transfer.options.progress = { _ in
                let number: Int = reports.withLock { reports in
                    reports += 1
                    return reports - 1
                }
                if number == report { crash.begin() }
            }
            var problems: [String] = []

            let error = thrown { _ = try transfer.run() }
            try crash.end()
            if let error, error.code != .connectionLost, error.code != .busy { problems.append("\(error)") }
            let stored = try transfer.destination.storedSchema()
            let isComplete = stored?.transfer?.isComplete == true
            if error == nil, !isComplete { problems.append("it ended without an error, and is not complete") }
            if !isComplete {
                let isThere = stored != nil && stored != .empty
                let opening = isThere ? thrown { try copy.setup() } : nil
                if isThere, opening?.code != .incompleteTransfer {
                    problems.append("half a copy opens with \(opening, default: "no error")")
                }
                let rest = try transfer.run()
                if stored?.transfer != nil, !rest.isResumed { problems.append("it was begun again") }
            }

            let there = try digests(transfer.destination)
            let here = try digests(transfer.source)
            if there != here { problems.append("the copy has \(there), not \(here)") }
            return problems
        }

        private static func digests(_ address: StoreAddress) throws -> [EntityDigest] {
            let store = try UntypedStore(reading: address)
            defer { try? store.close() }
            return try store.read { try $0.digests() }
        }
    }
#endif
