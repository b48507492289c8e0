import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// An import that ended early is run again, and starts over.
struct ImportAgainTests {
    private let folder: TemporaryFolder
    private let source: Place

    init() throws {
        folder = try TemporaryFolder()
        source = folder.place(.memory, "source")
        try Cargo.fill(source)
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `an import that dies at any commit is made whole by the next one`(
        _ engine: Engine, _ isStoredFirst: Bool
    ) throws {
        let lines = try source.exported()
        var commit = 0
        var error: DataStoreError?
        repeat {
            commit += 1
            let destination = folder.place(engine, "destination-\(commit)")
            let plan = CommitPlan(failingAt: commit, isStoredFirst: isStoredFirst)
            error = thrown { _ = try destination.importing(lines, plan) }
            if error != nil {
                #expect(code { try destination.withStore { _ in } } == .incompleteTransfer)
                let report = try destination.importing(lines)
                #expect(!report.isResumed)
                #expect(report.copiedItems == Cargo.count)
            }
            #expect(try destination.digests() == source.digests(), "commit \(commit)")
            #expect(try destination.problems() == [], "commit \(commit)")
        } while error != nil
        #expect(commit > Cargo.count / 4)
    }

    @Test(arguments: Engine.allCases)
    func `a cancelled import says how to go on, and does`(_ engine: Engine) throws {
        let destination = folder.place(engine, "destination")
        let lines = try source.exported()

        let error = thrown { _ = try destination.importing(lines, isCancelled: { true }) }

        #expect(error?.code == .cancelled)
        #expect(error?.advice == "Run the import again; it starts over by itself.")
        #expect(try destination.digests().reduce(0) { $0 + $1.count } == 4)
        _ = try destination.importing(lines)
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: Engine.allCases)
    func `an import whose task is cancelled stops while unique values are compared`(_ engine: Engine)
        async throws
    {
        let (source, destination) = (folder.place(.memory, "four"), folder.place(engine, "destination"))
        try source.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (0..<4).map { Keyed(Int64($0), label: "\($0)") })
            }
        }
        let lines = try source.exported()
        let isVerifying = Locked(false)

        let error = await Task {
            thrown {
                _ = try destination.importing(
                    lines,
                    isCancelled: {
                        // It is asked once then, after the last of the four items.
                        if isVerifying.withLock({ $0 }) { withUnsafeCurrentTask { $0?.cancel() } }
                        return false
                    },
                    progress: { progress in
                        if progress.phase == "verifying" { isVerifying.withLock { $0 = true } }
                    })
            }
        }.value

        #expect(error?.code == .cancelled)
        #expect(error?.message == "The transfer was cancelled.")
        #expect(
            code { try destination.withStore(storing: [Keyed<Int64>.self]) { _ in } } == .incompleteTransfer)
        #expect(try destination.importing(lines).copiedItems == 4)
    }

    @Test(arguments: Engine.allCases)
    func `half of something else is refused and left alone`(_ engine: Engine) throws {
        let lines = try source.exported()
        let (half, copy) = (folder.place(engine, "half"), folder.place(engine, "copy"))
        _ = thrown { _ = try half.importing(lines, isCancelled: { true }) }
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        _ = thrown {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: copy.address)).run()
        }
        let before = try (half.digests(), copy.digests())
        let other = Data(JSONLinesTests.Defect.sound.utf8)

        #expect(code { _ = try half.importing(other) } == .sourceChanged)
        #expect(code { _ = try copy.importing(lines) } == .incompleteTransfer)

        #expect(try half.digests() == before.0)
        #expect(try copy.digests() == before.1)
    }
}
