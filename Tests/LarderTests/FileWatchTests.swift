import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderFiles

/// When a watch of files looks, and that it ends.
struct FileWatchTests {
    private let start = ContinuousClock.now

    /// The moments of checks from a first write on, each run when it is due.
    private func moments(
        _ state: inout FileWatch.State, finding: (Int) -> FileWatch.Finding = { _ in .nothing }
    ) -> [Duration] {
        var moments: [Duration] = []
        while let due = state.due, moments.count < 40 {
            moments.append(due - start)
            state.noteCheck(at: due, finding(moments.count))
        }
        return moments
    }

    @Test func `checks follow a write at once, and then at twice the distance each time`() {
        var state = FileWatch.State()
        #expect(state.due == nil)
        state.noteWrite(at: start)

        let expected = (0...15).map { Duration.milliseconds((1 << $0) - 1) }
        #expect(moments(&state) == expected)
    }

    @Test func `a write after a rest begins anew`() {
        var state = FileWatch.State()
        state.noteWrite(at: start)
        for moment in [0, 1, 3, 7, 15] as [Int64] {
            state.noteCheck(at: start + .milliseconds(moment), .nothing)
        }
        #expect(state.due == start + .milliseconds(31))

        state.noteWrite(at: start + .milliseconds(31))
        #expect(state.due == start + .milliseconds(31))
        state.noteWrite(at: start + .milliseconds(32))
        #expect(state.due == start + .milliseconds(31))
        state.noteCheck(at: start + .milliseconds(32), .nothing)
        #expect(state.due == start + .milliseconds(33))
    }

    @Test(arguments: [
        (FileWatch.Finding.change, [0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87, 95, 103, 111, 119]),
        (.nothing, [0, 1, 3, 7, 15, 23, 39, 71, 103]),
    ])
    func `while writes follow each other, checks are 8 ms apart, and 32 where they find nothing in a row`(
        _ finding: FileWatch.Finding, _ expected: [Int]
    ) {
        var state = FileWatch.State()
        var checks: [Duration] = []
        for tenth in 0..<1200 as Range<Int64> {
            let now = start + .microseconds(tenth * 100)
            state.noteWrite(at: now)
            if let due = state.due, due <= now {
                state.noteCheck(at: now, finding)
                checks.append(now - start)
            }
        }
        #expect(checks == expected.map { Duration.milliseconds($0) })
    }

    @Test func `what could not be decided is asked again soon, however long that lasts`() {
        var state = FileWatch.State()
        state.noteWrite(at: start)
        let moments = moments(&state) { _ in .undecided }

        #expect(moments.count == 40)
        #expect(Array(moments.prefix(6)) == [0, 2, 6, 14, 30, 62].map { Duration.milliseconds($0) })
        #expect(zip(moments[6...], moments[5...]).allSatisfy { $0 - $1 == .milliseconds(50) })
    }

    @Test func `a file that cannot be watched is tried again until it can, however long that lasts`() {
        var state = FileWatch.State()
        state.noteWrite(at: start)
        var checks: [Duration] = []
        while let due = state.due, checks.count < 40 {
            let isRefused = checks.count < 20
            try? state.addFiles(at: ["a", "b"]) { path throws(DataStoreError) in
                if isRefused { throw DataStoreError(.inputOutput, "No watch is left.") }
                return path == "a" ? 7 : nil
            }
            let watched: [String: Int32] = isRefused ? [:] : ["a": 7]
            #expect(state.files == watched)
            state.noteCheck(at: due, .nothing)
            checks.append(due - start)
        }

        // The last one is after the file was watched, and a file that is not there is looked for no longer.
        let last = Duration.milliseconds((1 << 15) - 1)
        #expect(checks.count == 21)
        #expect(Array(checks.suffix(6)) == (0...5).map { last + .seconds(32 * $0) })
        state.noteWrite(at: start + .seconds(1000))
        #expect(state.due == start + .seconds(1000))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a write is seen by the watch of its file, also of one that was made later`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("file").path
        let (counts, heard) = AsyncStream<Int>.makeStream()
        var iterator = counts.makeAsyncIterator()
        do {
            let release = Release { heard.finish() }
            let watch = try FileWatch([path]) {
                defer { withExtendedLifetime(release) {} }
                heard.yield((try? FileAccess.status(at: path)?.byteCount) ?? -1)
                return .change
            }
            // The first write comes at once, as a file that is not there is looked for only as long as checks follow.
            for count in 1...3 {
                try FileAccess.write([UInt8](repeating: 7, count: count), to: path)
                while let seen = await iterator.next(), seen != count {}
            }

            watch.end()
            watch.end()
            #expect(watch.runCheck() == .nothing, "no check runs after the end")
        }
        // Ends only if the thread has let go of the watch.
        while await iterator.next() != nil {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `two watches of one file each see every write`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("file").path
        try FileAccess.write([], to: path)
        let (sizes, heard) = AsyncStream<(watch: Int, size: Int)>.makeStream()
        var iterator = sizes.makeAsyncIterator()
        do {
            let release = Release { heard.finish() }
            let watches = try (0...1).map { number in
                try FileWatch([path]) {
                    defer { withExtendedLifetime(release) {} }
                    heard.yield((number, (try? FileAccess.status(at: path)?.byteCount) ?? -1))
                    return .nothing
                }
            }
            for count in 1...20 {
                try FileAccess.write([UInt8](repeating: 7, count: count), to: path)
                var waiting: Set<Int> = [0, 1]
                while !waiting.isEmpty, let seen = await iterator.next() {
                    if seen.size == count { waiting.remove(seen.watch) }
                }
                #expect(waiting == [])
            }
            for watch in watches { watch.end() }
        }
        while await iterator.next() != nil {}
    }
}
