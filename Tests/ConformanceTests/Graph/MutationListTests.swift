import Larder
import LarderConformance
import LarderMemory
import Testing

@testable import AdapterTestSupport

/// Lists of mutations that delete all rows of a type, as tools pass them to the pipeline.
struct MutationListTests {
    private let store = MemoryDataStore(storing: [Node.self, Leaf.self])

    init() throws {
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Node(7), Node(8), Node(9)])
            try accessor.insert(Leaf("old", of: 7, on: 8, label: 1))
        }
    }

    /// A mutation before it has cells.
    private enum Step {
        case deleteAll(any DataStoreItem.Type)
        case insert(any DataStoreItem)
    }

    /// Applies steps as one list.
    ///
    /// - Returns: The number of rows that the steps have touched.
    private func apply(_ steps: Step...) throws -> Int {
        let schema = try StoreSchema(storing: [Node.self, Leaf.self])
        func number(_ type: any DataStoreItem.Type) throws -> Int { try #require(schema.number(of: type)) }
        return try store.writeSync { accessor in
            let block = try accessor.preparedBlock()
            let arena = RowArena()
            let mutations = try steps.map { step in
                switch step {
                case .deleteAll(let type):
                    RowMutation(
                        .deleteAll, entity: try number(type), cells: try arena.makeCells(1))
                case .insert(let item):
                    try insertion(of: item, number(type(of: item)), arena)
                }
            }
            return try block.pipeline.apply(mutations, in: nil)
        }
    }

    private func insertion(
        of item: some DataStoreItem, _ entity: Int, _ arena: RowArena
    ) throws -> RowMutation {
        let schema = type(of: item).schema
        let cells = try arena.makeCells(schema.attributes.count)
        var row = RowWriter(cells: cells, arena: arena, of: schema)
        try item.encode(to: &row)
        return RowMutation(.insert, entity: entity, cells: cells)
    }

    private func leaves() throws -> [Leaf] { try store.read { try $0.items(for: Leaf.all) } }

    @Test func `values are free for what is inserted after the deletion of all`() throws {
        let count = try apply(.deleteAll(Leaf.self), .insert(Leaf("new", of: 7, on: 8, label: 1)))

        #expect(count == 2)
        #expect(try leaves() == [Leaf("new", of: 7, on: 8, label: 1)])
    }

    @Test func `an item may come back after the deletion of all`() throws {
        #expect(try apply(.deleteAll(Leaf.self), .insert(Leaf("old", of: 7, on: 9, label: 1))) == 2)

        #expect(try leaves() == [Leaf("old", of: 7, on: 9, label: 1)])
    }

    @Test func `what is inserted before the deletion of all claims nothing`() throws {
        let count = try apply(.insert(Leaf("new", of: 7, on: 9, label: 1)), .deleteAll(Leaf.self))

        #expect(count == 3)
        #expect(try leaves() == [])
    }

    @Test func `two that are inserted after the deletion of all clash`() throws {
        let error = thrown {
            _ = try apply(
                .deleteAll(Leaf.self), .insert(Leaf("one", of: 7, on: 8, label: 2)),
                .insert(Leaf("two", of: 7, on: 9, label: 2)))
        }

        #expect(error?.code == .uniqueViolation)
        #expect(error?.identifier == .string("one"))
        #expect(try leaves() == [Leaf("old", of: 7, on: 8, label: 1)])
    }

    @Test func `what a rule adds outlasts the waves of a deletion before it`() throws {
        let count = try apply(
            .deleteAll(Node.self), .insert(Node(5)), .insert(Node(1, \.partner, 5)),
            .insert(Node(2, \.partner, 5)))

        let nodes = try store.read { try $0.items(for: Node.all) }
        #expect(count == 6)
        #expect(nodes.map(\.id) == [1, 2, 5])
        // The last one of a list gets the partner.
        #expect(nodes.map { $0.partner?.id } == [nil, 5, nil])
        #expect(try leaves() == [])
    }
}
