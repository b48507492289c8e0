import Larder

/// Rows that wait for a unique value, and what their call deletes.
enum WaitingRowCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Items given to an owner that waits do not go with their former owner", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)

            for items in [ImportedItems.add, .replace, .replaceDeleting] {
                let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                    Import(\.code, from: \.code)
                    Import(\.jars, by: \.id, from: { source in source.jars?.map(\.id) }, items)
                }
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(Rack(1, code: 1))
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1), Jar(6, label: 6, on: 1)])
                    try accessor.insert(Pantry(1, racks: [1]))
                    // Rack 3 waits for the code of rack 1, which is left over and takes its jars with it.
                    try accessor.importItems(
                        from: [[RackSource(3, code: 1, jars: [Jar(5, label: 5, on: 3)])]],
                        using: pantries(racks))
                }
                try expect(try state(of: store), equals: ["rack 3 code 1", "jar 5 label 5 on 3"])
            }
        }
        ConformanceCase("An item that waits goes with one that is left over", proves: 11, 15, 16) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) { Import(\.label, from: \.label) }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .add)
            }
            let waiting = RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)])

            // A new jar, and a stored one of another rack.
            for stored in [[], [Jar(9, label: 9, on: 2)]] {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1)] + stored)
                    try accessor.insert(Pantry(1, racks: [1, 2]))
                    // Jar 9 waits for the label of jar 5. The last source leaves their rack out.
                    try accessor.importItems(
                        from: [[waiting], [RackSource(2, code: 2)]], using: pantries(racks))
                }
                try expect(try state(of: store), equals: ["rack 2 code 2"])
            }
        }
        ConformanceCase(
            "An item that waits does not go with one to which it refers no more", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
                Import(\.label, from: \.label)
                Import(\.rack, by: \.id, from: { $0.rack.id })
                Import(\.next, by: \.id, from: { $0.next?.id })
            }
            let map = ImportMap<Pantry, [Jar]>(by: \.id, from: { _ in 1 }) {
                Import(\.jars, from: { $0 }, using: jars, .add)
                Import(\.racks, by: \.id, from: { _ in [2] }, .replaceDeleting)
            }

            // A new jar, and a stored one of the rack that is left over.
            for stored in [[], [Jar(9, label: 9, on: 1)]] {
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                    try accessor.insert(contentsOf: [Jar(5, label: 5, on: 1)] + stored)
                    try accessor.insert(Pantry(1, racks: [1, 2]))
                    // Jar 9 waits for the label of jar 5, which goes with rack 1.
                    try accessor.importItems(from: [[Jar(9, label: 5, on: 2, next: 5)]], using: map)
                }
                try expect(try state(of: store), equals: ["rack 2 code 2", "jar 9 label 5 on 2"])
            }

        }
        ConformanceCase("Hooks see what waited as it is stored", proves: 4, 11, 15, 16) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let deleting = hooked { _ = try $0.delete(id: 1, of: Rack.self) }
            let inner = hooked { accessor in
                let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) { Import(\.code, from: \.code) }
                let sources = [RackSource(2, code: 2), RackSource(3, code: 3)]
                try accessor.importItems(from: [sources], using: pantries(racks))
            }
            // A list is made before the call, so the jar goes with the rack, and is inserted.
            let upserting: Write = { accessor, jars in
                let made = jars.lazy.map { jar -> Jar in
                    if jar.id == 1299 { _ = try? accessor.delete(id: 1, of: Rack.self) }
                    return jar
                }
                try accessor.upsert(contentsOf: made)
            }
            let importing: Write = { accessor, jars in
                let made = jars.lazy.map { jar -> Jar in
                    if jar.id == 1299 { _ = try? accessor.delete(id: 1, of: Rack.self) }
                    return jar
                }
                try accessor.importItems(from: made, using: linkedJars)
            }
            let moving = hooked { accessor in
                try accessor.mutableItem(id: 9, of: Jar.self)?.rack = ToOne(id: 3)
                try accessor.delete(id: 3, of: Rack.self)
            }
            // The hook changes what a later source or item gives again.
            let changing: @Sendable (DataStoreReadWriteAccessor) throws -> Void = { accessor in
                let jar = try accessor.mutableItem(id: 9, of: Jar.self)
                jar?.rack = ToOne(id: 3)
            }
            let again: Write = { try hooked(changing)($0, $1 + [Jar(9, label: 5, on: 1)]) }
            let removing = hooked { accessor in
                try expect(try accessor.delete(id: 9, of: Jar.self), "deleted")
            }
            let changingJars = linkedJars.didImport { _, source, accessor in
                if source.id == 7 { try changing(accessor) }
            }
            let racks = ImportMap<Rack, Int64>(by: \.id, from: { $0 }) {
                Import(\.jars, by: \.id, from: { _ in [9] }, .add)
            }
            let given = ImportMap<Pantry, [Jar]>(by: \.id, from: { _ in 1 }) {
                Import(\.jars, from: { $0 }, using: changingJars, .add)
                Import(\.racks, from: { _ in [1] }, using: racks, .add)
            }
            let giving: Write = { _ = try $0.importItems(from: [$1], using: given) }
            let runs: [(stored: [Jar], rack: Int64, write: Write, racks: [Int64], jars: [String])] = [
                ([Jar(9, label: 9, on: 1)], 2, deleting, [2, 3], [moved, "jar 9 label 5 on 2"]),
                ([Jar(9, label: 9, on: 1)], 1, deleting, [2, 3], ["jar 7 label 7 on 2"]),
                ([Jar(9, label: 9, on: 1)], 2, inner, [2, 3], [moved, "jar 9 label 5 on 2"]),
                ([Jar(9, label: 9, on: 1)], 2, upserting, [2, 3], [moved, "jar 9 label 5 on 2"]),
                ([Jar(9, label: 9, on: 1)], 2, importing, [2, 3], [moved, "jar 9 label 5 on 2"]),
                ([Jar(9, label: 9, on: 1)], 1, moving, [1, 2], ["jar 7 label 7 on 2"]),
                ([Jar(9, label: 9, on: 1)], 1, again, [1, 2, 3], [moved, "jar 9 label 5 on 3"]),
                ([Jar(9, label: 9, on: 1)], 1, removing, [1, 2, 3], ["jar 7 label 7 on 2"]),
                ([], 1, removing, [1, 2, 3], ["jar 7 label 7 on 2"]),
                ([Jar(9, label: 9, on: 1)], 1, giving, [1, 2, 3], [moved, "jar 9 label 5 on 3"]),
            ]
            for (number, run) in runs.enumerated() {
                try store.writeSync { accessor in
                    try prepare(accessor, run.stored)
                    try run.write(accessor, waitingJars(on: run.rack))
                }
                let racks = run.racks.map { "rack \($0) code \($0)" }
                try expect(
                    try state(of: store).filter { !$0.hasPrefix("jar 1") },
                    equals: racks + ["jar 5 label 6 on 2"] + run.jars, "in run \(number)")
            }

            // Values set by a hook are judged in the name of its source.
            let dangling = linkedJars.didImport { jar, source, accessor in
                if source.id != 9 { return }
                jar.next = ToOne(id: 99)
                _ = try accessor.countItems(for: Jar.all)
            }
            let error = try expectError(.targetNotFound, writingTo: store) { accessor in
                try prepare(accessor, [])
                try accessor.importItems(from: waitingJars(on: 2), using: dangling)
            }
            try expect(error.importPlace, equals: ImportPlace(position: 0))
        }
        ConformanceCase(
            "A value of an item that waits and is left over is free for another", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) { Import(\.label, from: \.label) }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .replaceDeleting)
            }

            for distance in [1, 300] {
                var sources = (1000..<1400).map { RackSource($0, code: $0) }
                // Jar 9 waits for the label of jar 5, and jar 8 too, which rack 1 has in place of both.
                sources[0] = RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)])
                sources[distance] = RackSource(1, code: 1, jars: [Jar(8, label: 5, on: 1)])
                try store.writeSync { accessor in
                    try deleteAll(accessor)
                    try accessor.insert(Rack(1, code: 1))
                    try accessor.insert(Jar(5, label: 5, on: 1))
                    try accessor.importItems(from: sources, using: racks)
                }
                try expect(
                    try state(of: store).filter { $0.hasPrefix("jar") }, equals: ["jar 8 label 5 on 1"])
            }
        }
        ConformanceCase(
            "An item refers no more to one that waits and is left over", proves: 11, 15, 16
        ) { world in
            let store = try world.open(Pantry.self, Rack.self, Jar.self)
            let jars = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
                Import(\.label, from: \.label)
                Import(\.next, from: \.next)
            }
            let racks = ImportMap<Rack, RackSource>(by: \.id, from: \.id) {
                Import(\.code, from: \.code)
                Import(\.jars, from: \.jars, using: jars, .replaceDeleting)
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2)])
                try accessor.insert(Jar(5, label: 5, on: 1))
                // Jar 9 waits for the label of jar 5, which jar 8 has at the end.
                try accessor.importItems(
                    from: [
                        RackSource(1, code: 1, jars: [Jar(9, label: 5, on: 1)]),
                        RackSource(2, code: 2, jars: [Jar(10, label: 10, on: 2, next: 9)]),
                        RackSource(1, code: 1, jars: [Jar(8, label: 5, on: 1)]),
                    ], using: racks)
            }
            try expect(
                try state(of: store),
                equals: ["rack 1 code 1", "rack 2 code 2", "jar 8 label 5 on 1", "jar 10 label 10 on 2"])
        }
        ConformanceCase(
            "An owner of a single item has the last one, even if an earlier one waits", proves: 11, 15
        ) { world in
            let store = try world.open(Wagon.self)
            func run(
                _ stored: [Wagon], _ sources: [WagonSource], _ items: ImportedItems,
                hook: (@Sendable (DataStoreReadWriteAccessor) throws -> Void)? = nil
            ) throws -> [String] {
                var map = ImportMap<Wagon, WagonSource>(by: \.id, from: \.id) {
                    Import(\.number, ifPresent: \.number)
                    Import(\.next) { source in source.next.map { ToOne(id: $0) } }
                    Import(\.previous, by: \.id, from: \.previous, items)
                }
                if let hook {
                    map = map.didImport { _, source, accessor in
                        if source.id == 7 { try hook(accessor) }
                    }
                }
                let imported = map
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Wagon.self)
                    try accessor.insert(contentsOf: stored)
                    // Wagon 5 waits for the number of wagon 2.
                    try accessor.importItems(from: sources + [WagonSource(2, number: 77)], using: imported)
                }
                return try store.items(Wagon.all).map { wagon in
                    "\(wagon.id) \(wagon.number) \(wagon.next.map { "\($0.id)" } ?? "-")"
                }
            }
            let (first, second, sixth) = (Wagon(1, 1), Wagon(2, 2), Wagon(6, 6))
            let waiting = WagonSource(5, number: 2, next: 1)

            for items in [ImportedItems.add, .replace] {
                // Given to the one that waits, and then named by another.
                let given = [
                    WagonSource(5, number: 2), WagonSource(1, previous: [5]),
                    WagonSource(6, number: 6, next: 1),
                ]
                try expect(
                    try run([first, second], given, items), equals: ["1 1 -", "2 77 -", "5 2 -", "6 6 1"])
                // Named by the one that waits, and then given to another, as a new item and a stored one.
                for stored in [[second, sixth], [first, second, sixth]] {
                    let taken = [waiting, WagonSource(1, number: 1, previous: [6])]
                    try expect(
                        try run(stored, taken, items), equals: ["1 1 -", "2 77 -", "5 2 -", "6 6 1"])
                    try expect(
                        try run(stored, taken + [WagonSource(1, previous: [5])], items),
                        equals: ["1 1 -", "2 77 -", "5 2 1", "6 6 -"])
                }
            }
            // The one that waits is left over.
            let left = [waiting, WagonSource(1, previous: [6])]
            try expect(
                try run([first, second, sixth], left, .replaceDeleting),
                equals: ["1 1 -", "2 77 -", "6 6 1"])
            // A hook lets wagon 5 refer to another, after wagon 6 has taken the one that wagon 5 had.
            var fifth = Wagon(5, 5)
            fifth.next = ToOne(id: 1)
            let (third, seventh) = (Wagon(3, 3), WagonSource(7, number: 7))
            let sources = [waiting, seventh, WagonSource(6, number: 6, next: 1)]
            let results = try run([first, second, third, fifth], sources, .add) { accessor in
                let wagon = try accessor.mutableItem(id: 5, of: Wagon.self)
                wagon?.next = ToOne(id: 3)
            }
            try expect(results, equals: ["1 1 -", "2 77 -", "3 3 -", "5 2 3", "6 6 1", "7 7 -"])
        }
    }

    // MARK: Sources

    /// A source of a rack; without jars, those stay that are there.
    private struct RackSource: Sendable {
        let id: Int64
        let code: Int64
        let jars: [Jar]?

        init(_ id: Int64, code: Int64, jars: [Jar]? = nil) {
            (self.id, self.code, self.jars) = (id, code, jars)
        }
    }

    /// A source of a wagon; without a number and a previous one, it leaves them unchanged.
    private struct WagonSource: Sendable {
        let id: Int64
        let number: Int64?
        let next: Int64?
        let previous: [Int64]?

        init(_ id: Int64, number: Int64? = nil, next: Int64? = nil, previous: [Int64]? = nil) {
            (self.id, self.number, self.next, self.previous) = (id, number, next, previous)
        }
    }

    /// Each source is a list of all racks of pantry 1; those that it leaves out are deleted.
    private static func pantries(
        _ racks: ImportMap<Rack, RackSource>
    ) -> ImportMap<Pantry, [RackSource]> {
        ImportMap(by: \.id, from: { _ in 1 }) {
            Import(\.racks, from: { $0 }, using: racks, .replaceDeleting)
        }
    }

    private typealias Write = (DataStoreReadWriteAccessor, [Jar]) throws -> Void

    /// Jar 7 refers to jar 9, and so far from each other the label of jar 5 is free too late for jar 9.
    private static func waitingJars(on rack: Int64) -> [Jar] {
        let others = (1000..<1300).map { Jar($0, label: $0, on: 2) }
        return [Jar(9, label: 5, on: rack), Jar(7, label: 7, on: 2, next: 9)] + others
            + [Jar(5, label: 6, on: 2)]
    }

    private static let moved = "jar 7 label 7 on 2 next 9"

    private static let linkedJars = ImportMap<Jar, Jar>(by: \.id, from: \.id) {
        Import(\.label, from: \.label)
        Import(\.rack, from: \.rack)
        Import(\.next, from: \.next)
    }

    /// An import of jars with a hook after jar 7.
    private static func hooked(
        _ hook: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) -> Write {
        let map = linkedJars.didImport { _, source, accessor in
            if source.id == 7 { try hook(accessor) }
        }
        return { _ = try $0.importItems(from: $1, using: map) }
    }

    /// Stores three racks and jar 5, with some other jars.
    private static func prepare(_ accessor: DataStoreReadWriteAccessor, _ jars: [Jar]) throws {
        try deleteAll(accessor)
        try accessor.insert(contentsOf: [Rack(1, code: 1), Rack(2, code: 2), Rack(3, code: 3)])
        try accessor.insert(contentsOf: [Jar(5, label: 5, on: 2)] + jars)
        try accessor.insert(Pantry(1, racks: [1, 2, 3]))
    }

    private static func deleteAll(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.deleteAllItems(of: Pantry.self)
        try accessor.deleteAllItems(of: Jar.self)
        try accessor.deleteAllItems(of: Rack.self)
    }

    /// The racks and the jars.
    private static func state(of store: any DataStore) throws -> [String] {
        let racks = try store.items(Rack.all).map { "rack \($0.id) code \($0.code)" }
        let jars = try store.items(Jar.all).map { jar in
            "jar \(jar.id) label \(jar.label) on \(jar.rack.id)\(jar.next.map { " next \($0.id)" } ?? "")"
        }
        return racks + jars
    }
}
