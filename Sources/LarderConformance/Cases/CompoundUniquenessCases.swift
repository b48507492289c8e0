import Larder

/// A value of several attributes is unique whichever call changes one of them.
enum CompoundUniquenessCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An item added to an owner is refused if its name is taken", proves: 11, 15
        ) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                let docs = try handle(1, accessor)
                try expectClash(holder: 1) { try docs.files.add(id: 2) }
                try expectClash(holder: 1) { try docs.files.add(ids: [3, 2]) }
                try expectClash(holder: 1) { try docs.files.add(ids: [4]) }
                try expect(try docs.files.ids(), equals: [1])
                try docs.files.add(id: 3)
                // The name is free once its file has left.
                try docs.files.remove(id: 1)
                try docs.files.add(id: 2)
                try expectClash(holder: 2) { try docs.files.add(id: 1) }
                // Two of one call clash with each other.
                let mail = try handle(2, accessor)
                try expectError(.uniqueViolation) { try mail.files.add(ids: [1, 2]) }
            }
            try expect(try owners(store), equals: [nil, 1, 1, 2])
        }
        ConformanceCase(
            "Items that replace others in an owner are refused if a name is taken", proves: 11, 15
        ) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                let docs = try handle(1, accessor)
                try expectClash(holder: 1) { try docs.files.replace(byIDs: [1, 2]) }
                try expect(try docs.files.replace(byIDs: [2, 3]), "a change")
                let mail = try handle(2, accessor)
                try expectClash(holder: 4) { try mail.files.replace(byIDs: [4, 2]) }
            }
            try expect(try owners(store), equals: [nil, 1, 1, 2])
        }
        ConformanceCase(
            "The set of a handle's relationship is refused if a name is taken", proves: 5, 11, 15
        ) { world in
            let store = try filled(in: world)

            try expectClash(holder: 1) {
                try store.writeSync { accessor in
                    try handle(1, accessor).files = ToMany(ids: [1, 2])
                }
            }
            try expectClash(holder: 1) {
                try store.writeSync { accessor in
                    try accessor.mutableItem(id: 2, of: File.self)?.folder = ToOne(id: folder(1))
                }
            }
            try expectClash(holder: 1) {
                try store.writeSync { accessor in
                    _ = try accessor.update(File.where(\.id == 4), .set(\.folder, to: ToOne(id: folder(1))))
                }
            }
            try store.writeSync { accessor in
                try handle(1, accessor).files = ToMany(ids: [2, 3])
                // Swapped, which only the state after the flush allows.
                let (second, fourth) = (
                    try require(try accessor.mutableItem(id: 2, of: File.self)),
                    try require(try accessor.mutableItem(id: 4, of: File.self))
                )
                (second.folder, fourth.folder) = (fourth.folder, second.folder)
            }
            try expect(try owners(store), equals: [nil, 2, 1, 1])
        }
        ConformanceCase(
            "A value with items for an owner is refused if a name is taken", proves: 3, 11, 15
        ) { world in
            let store = try filled(in: world)
            let given = Folder(1, "docs!", files: ToMany(ids: [1, 2]))

            for write in [
                { try $0.upsert(given) }, { try $0.update(given) }, { try $0.upsert(contentsOf: [given]) },
                { try handle(1, $0).replace(by: given) },
            ] as [(DataStoreReadWriteAccessor) throws -> Void] {
                try expectClash(holder: 1) { try store.writeSync(write) }
            }
            try expectClash(holder: 2) {
                _ = try store.writeSync { try $0.insert(Folder(3, files: ToMany(ids: [2, 1]))).item }
            }
            try expectClash(holder: 2) {
                try store.writeSync {
                    try $0.insert(contentsOf: [
                        Folder(3, files: ToMany(ids: [2])), Folder(4, files: ToMany(ids: [3])),
                    ])
                    try handle(3, $0).files.add(ids: [1])
                }
            }
            try expect(try owners(store), equals: [1, nil, nil, 2])
            try store.writeSync { try $0.upsert(Folder(1, "docs!", files: ToMany(ids: [2, 3]))) }
            try expect(try owners(store), equals: [nil, 1, 1, 2])
        }
        ConformanceCase(
            "Nested objects of an import are refused if a name is taken", proves: 3, 11, 15
        ) { world in
            let store = try filled(in: world)
            let files = ImportMap<File, Int64>(by: \.id, from: \.self) { Import(\.size) { Int($0) } }
            let folders = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { folder($0.0) }) {
                Import(\.files, from: \.1, using: files, .add)
            }
            let byKeys = ImportMap<Folder, (Int64, [Int64])>(by: \.id, from: { folder($0.0) }) {
                Import(\.files, by: \.id, from: \.1)
            }

            for map in [folders, byKeys] {
                try expectClash(holder: 1) {
                    _ = try store.writeSync {
                        try $0.importItems(from: [(1, [1, 2])] as [(Int64, [Int64])], using: map)
                    }
                }
            }
            try expect(try owners(store), equals: [1, nil, nil, 2])
            try store.writeSync {
                _ = try $0.importItems(from: [(1, [2, 3])] as [(Int64, [Int64])], using: byKeys)
            }
            try expect(try owners(store), equals: [nil, 1, 1, 2])
        }
        ConformanceCase("A savepoint gives names back", proves: 3, 11, 15) { world in
            let store = try filled(in: world)

            try store.writeSync { accessor in
                let docs = try handle(1, accessor)
                try expectOwnError {
                    try accessor.savepoint {
                        try docs.files.remove(id: 1)
                        try docs.files.add(id: 2)
                        throw OwnError()
                    }
                }
                try expectClash(holder: 1) { try docs.files.add(id: 2) }
                try expectClash(holder: 1) { try accessor.savepoint { _ = try docs.files.add(id: 2) } }
                try docs.files.add(id: 3)
            }
            try expect(try owners(store), equals: [1, nil, 1, 2])
        }
        ConformanceCase("A merge finds a name that was taken meanwhile", proves: 11, 19) { world in
            let store = try filled(in: world)
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.mutableItem(id: 1, of: File.self)?.name = "taken" }
            try store.writeSync { try $0.insert(File(9, "taken", in: 1)) }

            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(
                error.conflicts.map(\.kind),
                equals: [.notUnique(attribute: "folder, name", holder: .integer(9))])
            try expect(error.conflicts.map(\.identifier), equals: [.integer(1)])
            try expectError(.mergeConflict) { try store.merge(child, policy: .childWins) }
            try store.merge(child, policy: .parentWins)
            try expect(try store.items(File.all).map(\.name), equals: ["a", "a", "b", "a", "taken"])
        }
        ConformanceCase(
            "Half of a value changed on each side of a merge is a clash", proves: 11, 19
        ) { world in
            let store = try filled(in: world)
            let child = try store.makeChildDataStore()
            // In the child file 3 is called "a", in the parent it joins one with that name.
            try child.writeSync { try $0.mutableItem(id: 3, of: File.self)?.name = "a" }
            try store.writeSync { _ = try handle(1, $0).files.add(id: 3) }

            let error = try expectError(.mergeConflict) { try store.merge(child) }
            try expect(
                error.conflicts.map(\.kind),
                equals: [.notUnique(attribute: "folder, name", holder: .integer(1))])
            try store.writeSync { _ = try handle(1, $0).files.remove(id: 1) }
            try store.merge(child)
            try expect(try owners(store), equals: [nil, nil, 1, 2])
            try expect(try store.items(File.all).map(\.name), equals: ["a", "a", "a", "a"])
        }
        // A seat that is unique and one-to-one.
        ConformanceCase(
            "A row that a list changes twice is judged in its last state", proves: 11, 15
        ) { world in
            let store = try world.open(Guest.self, Chair.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Chair(id: 1), Chair(id: 2)])
                // The second takes the chair from the first, as it would in a call of its own.
                try accessor.insert(contentsOf: [Guest(1, on: 1), Guest(2, on: 1)])
            }
            try expect(try store.items(Guest.all).map { $0.chair?.id }, equals: [nil, 1])
            try store.writeSync { accessor in
                try accessor.upsert(contentsOf: [Guest(1, on: 1), Guest(3, on: 1), Guest(2, on: 2)])
            }
            try expect(try store.items(Guest.all).map { $0.chair?.id }, equals: [nil, 2, 1])
        }
        ConformanceCase("The error of a clash shows values as the app knows them", proves: 11) { world in
            let store = try filled(in: world)

            let error = try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(File(9, "a", in: 1))
            }
            try expect(
                error.message, equals: "The item 1 already has the folder \(folder(1)) and name \"a\".")
            try expect(
                error.advice, equals: "Change one of these values, or use upsert(_:by:) with all of them.")
        }
    }

    private static func folder(_ id: Int64) -> ItemID<Folder> { ItemID(rawValue: id) }

    /// Two folders, a file "a" in the first and two files without a folder.
    private static func filled(in world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Folder.self, File.self, Entry.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Folder(1, "docs"), Folder(2, "mail")])
            try accessor.insert(contentsOf: [
                File(1, "a", in: 1), File(2, "a"), File(3, "b"), File(4, "a", in: 2),
            ])
        }
        return store
    }

    private static func handle(
        _ id: Int64, _ accessor: DataStoreReadWriteAccessor
    ) throws -> Mutable<Folder> {
        try require(try accessor.mutableItem(id: folder(id), of: Folder.self), "folder \(id)")
    }

    private static func owners(_ store: any DataStore) throws -> [Int64?] {
        try store.items(File.all).map { $0.folder?.id.rawValue }
    }

    private static func expectClash(
        holder: Int64, line: Int = #line, _ body: () throws -> Void
    ) throws {
        let error = try expectError(.uniqueViolation, line: line, body)
        try expect(error.itemType, equals: "File", line: line)
        try expect(error.attribute, equals: "folder, name", line: line)
        try expect(error.identifier, equals: .integer(holder), line: line)
    }
}

/// A guest, who sits alone on a chair: its reference is unique, and the other side is a single guest.
private struct Guest: DataStoreItem {
    let id: Int64
    var chair: ToOne<Chair>?

    init(_ id: Int64, on chair: Int64?) {
        self.id = id
        self.chair = chair.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Guest, Int64>(column: 0)
        let chair = Attribute<Guest, ToOne<Chair>?>(indexedColumn: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Guest", attributes: [.attribute("id", Int64.self), .attribute("chair", ToOne<Chair>?.self)],
        indexes: [.unique("chair")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        chair = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(chair, at: 1)
    }
}

private struct Chair: DataStoreItem {
    let id: Int64
    var guest: ToOneInverse<Guest> = .notGiven

    init(id: Int64) {
        self.id = id
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Chair, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Chair", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("guest", ToOneInverse<Guest>.self, of: Chair.self, inverse: Guest.attributes.chair)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        guest = try row.value(atRelationship: 0, of: Chair.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(guest, atRelationship: 0)
    }
}
