#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// Connections that are cut, half closed and delayed at each message of an app's work.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct MessageFaultTests {
        @Test func `after harm at any message, the store holds what the answers said and works again`()
            async throws
        {
            let server = try #require(TestServer.shared)

            let unharmed = try await onOwnThread { try Self.trial(on: server, nil) }
            #expect(unharmed.problems == [])
            #expect(unharmed.errors == [])
            let orders = Self.orders(in: unharmed)
            let outcomes = try await onOwnThread { try Self.trials(on: server, orders) }

            #expect(outcomes.flatMap(\.problems) == [])
            // Some messages come only sometimes, such as the server's notice of a setting.
            #expect(outcomes.filter(\.isHarmed).count * 10 >= orders.count * 9)
        }

        /// The result of one journey.
        private struct Outcome: Sendable {
            var isHarmed = false
            var errors: [String] = []
            var problems: [String] = []
            var counts: [MessageProxy.Side: Int] = [:]
        }

        /// All of the ways in which harm can be done to a journey, or some of each kind.
        private static func orders(in unharmed: Outcome) -> [MessageProxy.Order] {
            var random = Seed.ofProcess()
            var orders: [MessageProxy.Order] = []
            for side in MessageProxy.Side.allCases {
                let count = unharmed.counts[side] ?? 0
                for harm in MessageProxy.Harm.allCases {
                    let numbers: [Int] = (0..<count).shuffled(using: &random)
                    for number in numbers.prefix(Repetitions.count(2, long: count)) {
                        orders.append(MessageProxy.Order(harm: harm, side: side, number: number))
                    }
                }
            }
            return orders
        }

        /// Several journeys at a time, as most of them wait.
        private static func trials(
            on server: TestServer, _ orders: [MessageProxy.Order]
        ) throws -> [Outcome] {
            let waiting = Locked(orders)
            let outcomes = Locked<[Outcome]>([])
            let lane: @Sendable () throws -> Void = {
                while let order = waiting.withLock({ $0.popLast() }) {
                    let outcome = try Self.trial(on: server, order)
                    outcomes.withLock { $0.append(outcome) }
                }
            }
            try sideBySide([lane, lane, lane, lane])
            return outcomes.withLock { $0 }
        }

        /// The seconds after which a journey hangs: it waits a few times for some seconds at most.
        private static let limit = 60

        private static func trial(on server: TestServer, _ order: MessageProxy.Order?) throws -> Outcome {
            let world = PostgreSQLWorld(on: server)
            let proxy = try MessageProxy(to: server.folder, order: order, delay: .milliseconds(450))
            let connection = try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder")
            let isDelayed = order?.harm == .delay
            let options = Self.options(isDelayed: isDelayed)

            let report: FaultJourney.Report? = try within(limit) { () throws -> FaultJourney.Report in
                let journey = try FaultJourney(by: connection, in: world, options)
                do {
                    try journey.run()
                    try world.cleanUp()
                } catch {
                    var report = journey.report
                    report.problems.append("\(error)")
                    return report
                }
                return journey.report
            } otherwise: {
                proxy.stop()
            }

            var outcome = Outcome()
            outcome.isHarmed = order != nil && proxy.hasHarmed
            outcome.errors = report?.errors ?? []
            outcome.problems = report?.problems ?? ["it did not end in \(limit) seconds"]
            // One connection is lost, so that one call may fail. A delay is longer than the limits of time.
            if !isDelayed, outcome.errors.count > 1 { outcome.problems += outcome.errors }
            if let order { outcome.problems = outcome.problems.map { "\(order): \($0)" } }
            for side in MessageProxy.Side.allCases { outcome.counts[side] = proxy.count(of: side) }
            try proxy.close()
            return outcome
        }

        private static func options(isDelayed: Bool) -> PostgreSQLOptions {
            // On a busy machine an opening without harm can take seconds, and its error would count as one of the harm.
            var options = PostgreSQLOptions(durability: .normal, connectTimeout: .seconds(15))
            if isDelayed {
                // Both are over before the message is delivered.
                options.commitTimeout = .milliseconds(150)
                options.idleTimeout = .milliseconds(300)
            }
            return options
        }
    }
#endif
