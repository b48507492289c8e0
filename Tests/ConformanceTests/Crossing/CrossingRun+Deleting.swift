import Larder
import LarderConformance

@testable import AdapterTestSupport

extension CrossingRun {
    func deletion<Item: Piece>(_ type: Item.Type, _ before: Contents, of chosen: Int64? = nil) -> Call? {
        let kind = Item.kind
        var after = before
        func call(
            _ title: String, _ ids: [Int64], _ make: @escaping (DataStoreReadWriteAccessor) throws -> Int
        ) -> Call {
            let codes = after.delete(kind, ids)
            let count = Set(ids).count { before.has(kind, $0) }
            return Call(title: "delete \(kind)s \(title)", after: after, refusals: codes) { [self] in
                try compare(try make($0), count, "number of deleted items")
            }
        }
        let ids = chosen.map { [$0] } ?? (0...generator.number(below: 3)).map { _ in known(kind, before) }
        // A chosen item is deleted by a call that is about identifiers alone.
        switch chosen == nil ? generator.number(below: 12) : 2 + generator.number(below: 4) {
        case 0:
            let value = Int64(generator.number(below: 4))
            let place = kind == .locker ? 1 : 2
            let found = before.rows(kind).filter { $0.value[place] == value }.keys.sorted()
            return call("with \(value)", found) { try $0.deleteItems(for: Item.request(value)) }
        case 1 where generator.oneIn(4):
            // Links to items that the parent has deleted may go with the others or stay, as is faster.
            if before.hasDanglingLinks { return nil }
            return call("all", before.ids(kind)) { try $0.deleteAllItems(of: type) }
        case 2, 3: return call("\(ids)", ids) { try $0.delete(ids: ids, of: type) }
        case 4:
            let items = ids.compactMap { before.items[kind]?[$0] }.map { Item($0) }
            return call("of values \(items.map(\.id))", items.map(\.id)) { try $0.delete(items) }
        case 5:
            let id = ids[0]
            return call("by handle \(id)", [id]) {
                guard let handle = try $0.mutableItem(id: id, of: type) else { return 0 }
                return try $0.delete(handle) ? 1 : 0
            }
        case 6, 7, 8: return changeAndDeletion(type, ids[0], before)
        default:
            let id = ids[0]
            return call("\(id)", [id]) { try $0.delete(id: id, of: type) ? 1 : 0 }
        }
    }

    /// Changes an item and deletes it: what follows is by the references that it had last.
    private func changeAndDeletion<Item: Piece>(_ type: Item.Type, _ id: Int64, _ before: Contents) -> Call? {
        guard let row = changed(Item.kind, id, before) else { return nil }
        var after = before
        guard after.put([(Item.kind, row)]).isEmpty else { return nil }
        let between = after
        let codes = after.delete(Item.kind, [id])
        let item = Item(row)
        let title = "set and delete \(Item.kind) \(text(row))"
        return Call(title: title, after: after, refusals: codes, between: between) { accessor in
            try accessor.savepoint {
                try accessor.update(item)
                try accessor.delete(id: id, of: type)
            }
        }
    }
}
