import Larder
import LarderSQL

/// Rules of the store that SQL of the app has broken.
enum SQLRuleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A test by a unique value that SQL gave to two items follows the lower identifier", proves: 6, 17
        ) { world in
            guard let store = try SQLCases.openedForSQL(world, Town.self, House.self) else { return }
            try store.writeSync { accessor in
                // The index has had the other one first.
                try accessor.insert(contentsOf: [Town(1, "Bonn"), Town(2, "Aix")])
                try accessor.insert(contentsOf: [House(10, number: 1, in: 2), House(11, number: 1, in: 1)])
                try rename(2, to: "Bonn", in: accessor)
            }

            try store.read { accessor in
                let towns = Town.where(\.name == "Bonn")
                try expect(try accessor.items(for: towns).map(\.id), equals: [1, 2])
                let houses = House.where(\.town.name == "Bonn")
                try expect(try accessor.items(for: houses).map(\.id), equals: [11])
                try expect(try accessor.countItems(for: houses), equals: 1)
                let others = House.where(\.number == 1 && \.town.name == "Bonn")
                try expect(try accessor.ids(for: others), equals: [11])
            }
            try store.writeSync { try rename(2, to: "Aix", in: $0) }
        }
    }

    private static func rename(
        _ town: Int64, to name: String, in accessor: DataStoreReadWriteAccessor
    ) throws {
        let sql: SQLText = "UPDATE \(Town.self) SET name = \(name) WHERE id = \(town)"
        try expect(try accessor.execute(sql: sql), equals: 1)
    }
}
