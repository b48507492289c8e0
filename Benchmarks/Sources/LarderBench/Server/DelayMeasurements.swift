#if PostgreSQL
    import Foundation
    import Larder
    import LarderPostgreSQL

    /// The times of works on a store at the end of a slow wire.
    final class DelayMeasurements {
        /// The delay of each direction.
        private static let delays: [Duration] = [.zero, .microseconds(500), .milliseconds(5)]

        private let rounds: Int
        private let count: Int
        private let seed: UInt64
        private let proxy: DelayProxy

        /// - Parameter folder: The folder for the server's data.
        init(count: Int, rounds: Int, seed: UInt64, folder: URL) throws {
            self.count = count
            self.rounds = rounds
            self.seed = seed
            proxy = try DelayProxy(to: try BenchServer.running(in: folder))
        }

        /// A table with a line for each work: its time for each delay, and the trips that explain them.
        func table() throws -> TextTable {
            defer { proxy.end() }
            var table = TextTable(
                header: ["work", "0 ms", "0.5 ms", "5 ms", "trips"], textColumns: [0])
            let trip: [Double] = try timesOfTrip()
            table.append(line("one statement by hand", trip, trip), startsGroup: false)
            let store: any DataStore = PostgreSQLDataStore(
                connection: try PostgreSQLConnection(proxy.address), schema: "delay",
                storing: DelayedStore.itemTypes, options: PostgreSQLOptions(durability: .normal))
            try store.setup()
            let delayed = try DelayedStore(in: store, count: count, seed: seed)
            for work in DelayedWork.allCases {
                reportProgress("\(work.title(count)) ...")
                let times: [Double] = try self.times(of: work, in: delayed)
                table.append(line(work.title(count), times, trip), startsGroup: work == .insertOne)
            }
            try store.tearDown()
            return table
        }

        /// The times of a trip to the server and back with hardly any work there.
        private func timesOfTrip() throws -> [Double] {
            let connection = try LibpqConnection(to: proxy.address)
            defer { connection.close() }
            let statement: LibpqStatement = try connection.prepare("SELECT 1", [])
            var medians: [Double] = []
            for delay in Self.delays {
                proxy.setDelay(delay)
                var times: [Double] = []
                for _ in 0...(rounds * 4) {
                    let start = ContinuousClock.now
                    try connection.send(statement)
                    _ = try connection.perform()
                    times.append((ContinuousClock.now - start) / .nanoseconds(1))
                }
                medians.append(Samples(times.dropFirst()).median)
            }
            proxy.setDelay(.zero)
            return medians
        }

        private func times(of work: DelayedWork, in store: DelayedStore) throws -> [Double] {
            var medians: [Double] = []
            for delay in Self.delays {
                var times: [Double] = []
                // The first round is not counted.
                for _ in 0...rounds {
                    let entries: [ImportedEntry] = store.makeEntries()
                    try store.prepare(work)
                    proxy.setDelay(delay)
                    let start = ContinuousClock.now
                    try store.run(work, entries)
                    let time: Duration = ContinuousClock.now - start
                    proxy.setDelay(.zero)
                    times.append(time / .nanoseconds(1))
                    try store.undo(work)
                }
                medians.append(Samples(times.dropFirst()).median)
            }
            return medians
        }

        /// The trips are the time that the longest delay adds, counted in what it adds to one trip.
        private func line(_ title: String, _ times: [Double], _ trip: [Double]) -> [String] {
            let last: Int = Self.delays.count - 1
            let trips: Double = (times[last] - times[0]) / (trip[last] - trip[0])
            var cells: [String] = [title]
            for time in times { cells.append(String(format: "%.2f ms", time / 1_000_000)) }
            cells.append(String(format: "%.1f", trips))
            return cells
        }
    }
#endif
