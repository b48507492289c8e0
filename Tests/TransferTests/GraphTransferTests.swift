import Foundation
import Larder
import LarderEngine
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderTransfer

/// References and links keep what they say, wherever a store goes.
struct GraphTransferTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.pairs)
    func `a copy has the same references and links`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        try GraphCargo.fill(source)

        let report = try StoreTransfer(from: source.address, to: copy.address).run()

        #expect(try report.digests == source.digests())
        #expect(try copy.digests() == source.digests())
        #expect(try source.differences(to: copy) == [])
        #expect(try copy.ownProblems() == [])
        #expect(report.copiedItems == GraphCargo.count)
    }

    @Test(arguments: Engine.pairs)
    func `lines make the same references and links`(_ pair: Pair) throws {
        let (source, copy) = (folder.place(pair.from, "source"), folder.place(pair.to, "copy"))
        try GraphCargo.fill(source)
        let lines = try source.exported()

        let report = try copy.importing(lines)

        #expect(report.copiedItems == GraphCargo.count)
        #expect(try report.digests == source.digests())
        #expect(try copy.exported() == lines)
        #expect(try source.differences(to: copy) == [])
        #expect(try copy.ownProblems() == [])
    }

    @Test func `the progress of lines with links ends with their items, then with all rows`() throws {
        let (source, copy) = (folder.place(.memory, "source"), folder.place(.memory, "copy"))
        try GraphCargo.fill(source)
        let reports = Locked<[DataStoreProgress]>([])
        let lines = try source.exported()

        _ = try copy.importing(lines, progress: { report in reports.withLock { $0.append(report) } })

        let seen = reports.withLock { $0 }
        let links = GraphCargo.labels.count + GraphCargo.chapters.reduce(0) { $0 + $1.1.count }
        for (phase, total) in [("copying", GraphCargo.count), ("verifying", GraphCargo.count + links)] {
            let done = seen.filter { $0.phase == phase && $0.total == total }.map(\.done)
            #expect(done.count == seen.filter { $0.phase == phase }.count)
            #expect(done.allSatisfy { $0 <= total })
            #expect(done.last == total)
        }
    }

    @Test func `the line of an item lists what it is linked with`() throws {
        let place = folder.place(.memory, "source")
        try GraphCargo.fill(place)

        let lines = try Self.lines(of: place)

        #expect(lines[0].contains(#""version":2,"items":12"#))
        #expect(!lines[0].contains("Book.labels"))
        #expect(
            lines[4]
                == #"{"entity":"Book","values":{"id":"1","title":"Cakes","year":"0","#
                + #""author":"0000000000001","editor":null,"shelf":"1","labels":["fresh","new"],"#
                + #""chapters":["00000000-0000-0000-0000-000000000003","#
                + #""00000000-0000-0000-0000-000000000001"]}}"#)
        #expect(lines.count == GraphCargo.count + 2)
        #expect(lines.last?.contains(#"{"end":{"items":12,"#) == true)
        #expect(lines.last?.contains(#"{"entity":"Book.labels","count":3,"#) == true)
    }

    @Test(arguments: Engine.allCases)
    func `a digest knows the order of links, but neither their ranks nor their identifiers`(
        _ engine: Engine
    ) throws {
        let (first, other) = (folder.place(engine, "first"), folder.place(engine, "other"))
        try GraphCargo.fill(first)
        try GraphCargo.fill(other, labels: GraphCargo.labels.reversed(), chapters: [(2, [1]), (1, [3])])
        try other.insert(
            into: "Book.chapters",
            [[.integer(5), .integer(1), .blob(GraphCargo.uuid(1)), .text(LinkEntity.initialRank(9))]])
        #expect(try first.digests() == other.digests())

        let moved = folder.place(engine, "moved")
        try GraphCargo.fill(moved, chapters: [(1, [1, 3]), (2, [1])])

        let (digests, movedDigests) = (try first.digests(), try moved.digests())
        #expect(zip(digests, movedDigests).filter { $0 != $1 }.map(\.0.entity) == ["Book.chapters"])
    }

    @Test(arguments: Engine.files)
    func `a changed link is a difference of its item`(_ engine: Engine) throws {
        let (left, right) = (folder.place(engine, "left"), folder.place(.memory, "right"))
        try GraphCargo.fill(left)
        try GraphCargo.fill(
            right, labels: [(1, "fresh"), (1, "old"), (2, "fresh")], chapters: [(1, [1, 3])])

        let differences = try left.differences(to: right)

        let (one, three) = (
            "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000003"
        )
        #expect(
            differences == [
                .changed(
                    entity: "Book", .integer(1),
                    [
                        AttributeDifference(name: "labels", left: "[new]", right: "[old]"),
                        AttributeDifference(
                            name: "chapters", left: "[\(three), \(one)]", right: "[\(one), \(three)]"),
                    ]),
                .changed(
                    entity: "Book", .integer(2),
                    [AttributeDifference(name: "chapters", left: "[\(one)]", right: "[]")]),
            ])
        #expect(
            differences.first?.description.hasPrefix("Book 1 differs in labels: [new] and [old], ") == true)
    }
}

// MARK: What leads nowhere

extension GraphTransferTests {
    @Test(arguments: Engine.allCases)
    func `lines without an item that others refer to are refused, naming line and items`(
        _ engine: Engine
    ) throws {
        let source = folder.place(.memory, "source")
        try GraphCargo.fill(source)
        let lines = try Self.lines(of: source)
        let faults: [(without: [String], line: Int, message: String)] = [
            ([lines[6]], 5, "Book 1 refers by labels to Label fresh, which does not exist."),
            ([lines[1]], 2, "Person 0000000000002 refers by mentor to Person 0000000000001, which does"),
            (
                [lines[13 - 1]], 5,
                "Book 1 refers by chapters to Chapter 00000000-0000-0000-0000-000000000003,"
            ),
        ]
        for (number, fault) in faults.enumerated() {
            let place = folder.place(engine, "copy \(number)")
            let text = Self.text(lines.filter { !fault.without.contains($0) })

            let error = thrown { _ = try place.importing(text) }

            #expect(error?.code == .targetNotFound)
            #expect(
                error?.message.hasPrefix("Line \(fault.line): \(fault.message)") == true,
                "\(error?.message ?? "")")
            #expect(code { try place.withStore(storing: Library.types) { _ in } } == .incompleteTransfer)
            _ = try place.importing(Self.text(lines))
            #expect(try source.differences(to: place) == [])
        }
    }

    @Test func `the line of an item out of order is known too`() throws {
        let source = folder.place(.memory, "source")
        try GraphCargo.fill(source)
        var lines = try Self.lines(of: source).filter { !$0.contains(#""id":"fresh""#) }
        lines.insert(lines.remove(at: 4), at: lines.count - 1)

        let error = thrown { _ = try folder.place(.memory, "copy").importing(Self.text(lines)) }

        #expect(error?.message == "Line 12: Book 1 refers by labels to Label fresh, which does not exist.")
        #expect(error?.itemType == "Book" && error?.attribute == "labels" && error?.identifier == .integer(1))
    }

    @Test(arguments: [
        (#""labels":["fresh","new"]"#, #""labels":"fresh""#, DataStoreError.Code.wrongType),
        (#""labels":["fresh","new"]"#, #""labels":[1]"#, .wrongType),
        (#""labels":["fresh","new"]"#, #""labels":["new","new"]"#, .invalidValue),
        (#""labels":["fresh","new"]"#, #""tags":[]"#, .unknownAttribute),
        (
            #"{"entity":"Book","values":{"id":"1""#, #"{"entity":"Book.labels","values":{"id":"1""#,
            .invalidText
        ),
    ])
    func `a wrong list of links is refused, naming the line`(
        _ original: String, _ replacement: String, _ expected: DataStoreError.Code
    ) throws {
        let source = folder.place(.memory, "source")
        try GraphCargo.fill(source)
        let lines = try Self.lines(of: source).map {
            $0.replacingOccurrences(of: original, with: replacement)
        }

        let error = thrown { _ = try folder.place(.memory, "copy").importing(Self.text(lines)) }

        #expect(error?.code == expected)
        #expect(error?.message.hasPrefix("Line 5: ") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: Engine.allCases)
    func `the check names references and links that lead nowhere`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try GraphCargo.fill(place)
        #expect(try place.ownProblems() == [])
        try place.insert(
            into: "Passport",
            [
                [.text("P8"), .integer(0), .integer(77)], [.text("P9"), .integer(0), .integer(1)],
            ])
        try place.insert(
            into: "Book.labels",
            [
                [.integer(8), .integer(99), .text("new")], [.integer(9), .integer(1), .text("gone")],
            ])

        #expect(
            try place.ownProblems() == [
                "Passport P1 and Passport P9 both refer by holder to Person 0000000000001, "
                    + "which only one may.",
                "Passport P8 refers by holder to Person 000000000002D, which does not exist.",
                "Book 99, which does not exist, refers by labels to Label new.",
                "Book 1 refers by labels to Label gone, which does not exist.",
            ])
        let copy = folder.place(.memory, "copy")
        let error = thrown { _ = try StoreTransfer(from: place.address, to: copy.address).run() }
        // Of the faults of one relationship, that of the first item.
        #expect(error?.code == .targetNotFound)
        #expect(error?.identifier == .string("P8"))
        #expect(code { try copy.withStore(storing: Library.types) { _ in } } == .incompleteTransfer)
        #expect(code { _ = try place.exported() } == .damaged)
    }

    @Test(arguments: Engine.allCases)
    func `the check names links without a rank and pairs that are linked twice`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try GraphCargo.fill(place)
        try place.insert(
            into: "Book.chapters", [[.integer(9), .integer(2), .blob(GraphCargo.uuid(2)), .text("!")]])
        let error = thrown {
            try place.insert(into: "Book.labels", [[.integer(9), .integer(1), .text("fresh")]])
        }

        // Memory and LMDB judge unique values themselves, and do not store what only a fault of the core would.
        #expect(error?.code == (engine == .sqlite ? nil : .uniqueViolation))
        let clash =
            "The items 0000000000002 and 0000000000009 of Book.labels have the same source 1 and target "
            + "\"fresh\", which has to be unique."
        #expect(
            try place.ownProblems() == (engine == .sqlite ? [clash] : [])
                + ["Book.chapters: The link 0000000000009 has the rank \"!\", which cannot be read."])
    }

    @Test(arguments: [Engine.sqlite, .lmdb], 1...12)
    func `a copy that was stopped anywhere has all links once it is finished`(
        _ engine: Engine, _ commit: Int
    ) throws {
        let (source, copy) = (folder.place(.memory, "source"), folder.place(engine, "copy"))
        try GraphCargo.fill(source)
        var options = StoreTransferOptions()
        options.itemsPerBatch = 2
        let plan = CommitPlan(failingAt: commit, isStoredFirst: commit % 2 == 0)
        expectDeath {
            _ = try StoreTransfer(
                from: source.address, to: plan.applied(to: copy.address), options: options
            ).run()
        }

        if try copy.address.storedSchema()?.transfer?.isComplete != true {
            _ = try StoreTransfer(from: source.address, to: copy.address).run()
        }

        #expect(try copy.ownProblems() == [])
        #expect(try source.differences(to: copy) == [])
    }

    private static func lines(of place: Place) throws -> [String] {
        String(decoding: try place.exported(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The lines with an end that counts them.
    private static func text(_ lines: [String]) -> Data {
        let text = lines.dropLast().joined(separator: "\n")
        return Data((text + "\n{\"end\":{\"items\":\(lines.count - 2)}}\n").utf8)
    }
}
