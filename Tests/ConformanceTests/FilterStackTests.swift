import Foundation
import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Filters as deep as the limit, on the stack that Apple's systems give to threads other than the first.
///
/// A sanitizer makes every frame larger.
@Suite(.enabled(if: Repetitions.sanitizer == nil))
struct FilterStackTests {
    @Test func `the deepest filters have room on a stack of 512 KiB`() async {
        await #expect(processExitsWith: .success) {
            let expected: [[Int64]] = [[1], [1], [1, 2], [1, 2, 3]]
            guard try FilterStackTests.answers() == expected.map({ [$0, $0, $0] }) else { exit(2) }
        }
    }

    /// The identifiers of the houses that pass each filter, in each way, as a thread with a small stack finds them.
    private static func answers() throws -> [[[Int64]]] {
        let store = MemoryDataStore(storing: [Town.self, House.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Town(1, "Bonn"), Town(2, "Aix")])
            try accessor.insert(contentsOf: [
                House(1, number: 1, in: 1), House(2, number: 0, in: 1), House(3, number: 0, in: 2),
            ])
        }
        let found = Locked<[[[Int64]]]>([])
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            for filter in filters() {
                let answers = (try? store.read { try ids(filter, $0) }) ?? []
                found.withLock { $0.append(answers) }
            }
            ended.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        ended.wait()
        return found.withLock { $0 }
    }

    /// The identifiers of the houses that pass a filter, and those of the pages of houses and of places after another one.
    private static func ids(
        _ filter: Filter<House>, _ accessor: DataStoreReadAccessor
    ) throws -> [[Int64]] {
        let before = House(0, number: 0, in: 1)
        let houses = House.where(filter)
        let places = Place.where(.only(House.self, filter))
        let page = try accessor.page(of: places, after: .house(before), size: 9)
        return [
            try accessor.ids(for: houses),
            try accessor.page(of: houses, after: before, size: 9).items.map(\.id),
            page.items.compactMap { $0.house?.id },
        ]
    }

    private static func filters() -> [Filter<House>] {
        let start: Filter<House> = \.number > 0
        return [
            nested(200, start) { !$0 }, nested(100, start) { ($0 && \.number > 0) || \.number > 0 },
            nested(100, start) { .any(\.town.houses, $0) },
            nested(100, \.number >= 0) { .all(\.town.houses, $0) },
        ]
    }

    private static func nested(
        _ count: Int, _ start: Filter<House>, _ step: (Filter<House>) -> Filter<House>
    ) -> Filter<House> {
        (0..<count).reduce(start) { filter, _ in step(filter) }
    }
}

/// A house or a town.
private enum Place: ItemUnion {
    case house(House), town(Town)

    static let members: [UnionMember<Place>] = [
        .type(House.self, Place.house), .type(Town.self, Place.town),
    ]

    struct Attributes: Sendable {}

    static let attributes = Attributes()

    var item: any DataStoreItem {
        switch self {
        case .house(let house): house
        case .town(let town): town
        }
    }

    var house: House? {
        if case .house(let house) = self { house } else { nil }
    }
}
