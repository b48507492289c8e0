import Larder
import LarderTesting

/// A way to change or read many items, each of which makes the core look at others.
enum Work: String, CaseIterable, Sendable {
    case insert, insertOne, insertLinked, items, handles
    case updateOfHandles, updateInWalk, updateByRequest, updateByRelated, updateShownInHandles, updateRecorded
    case upsert
    case deleteByIDs, deleteByRequest, link, linkInOrder, unlink, giveToOwner, sortByOther
    case importNew, importKnown, importReplacing, importWaiting
    case merge, mergeOfLinks, mergeOfDeletions, refresh
    case readInChild, readInGrandchild, insertInChild, updateInChild, deleteInChild, deleteAllInChild

    /// The parts in the store that the work is not about.
    static let untouched = 500

    /// Runs it, and returns what the store has asked of its engine.
    func record(_ count: Int, in store: TemporaryStore) throws -> StoreRecording {
        let changed = Part.where(\.id < Int64(count))
        let known = (0..<Int64(count)).map { Part($0, weight: 4) }
        let new = (10_000..<10_000 + Int64(count)).map { Part($0) }
        let linked = new.map { Part($0.id, marks: ToMany([Mark(1), Mark(2)])) }
        let ids = known.map(\.id)
        func write(_ body: (DataStoreReadWriteAccessor) throws -> Void) throws -> StoreRecording {
            try store.record { try store.writeSync(body) }
        }
        func read(_ body: (DataStoreReadAccessor) throws -> Void) throws -> StoreRecording {
            try store.record { try store.read(body) }
        }
        switch self {
        case .insert: return try write { try $0.insert(contentsOf: new) }
        case .insertOne: return try write { try $0.insert(new[0]) }
        case .insertLinked: return try write { try $0.insert(contentsOf: linked) }
        case .items: return try read { _ = try $0.items(ids: ids, of: Part.self) }
        case .handles: return try write { _ = try $0.mutableItems(ids: ids, of: Part.self) }
        case .updateOfHandles:
            return try write { accessor in
                for part in try accessor.mutableItems(for: changed) {
                    part.name = "new \(part.id)"
                    part.place += 20_000
                }
            }
        case .updateInWalk:
            return try write { accessor in
                try accessor.forEachMutableItem(for: changed) { part in
                    part.name = "new \(part.id)"
                    part.place += 20_000
                }
            }
        case .updateByRequest: return try write { try $0.update(changed, .set(\.place, to: \.weight)) }
        case .updateByRelated:
            return try write { try $0.update(changed, .set(\.weight, to: \.box.room)) }
        case .updateShownInHandles:
            return try write { accessor in
                let handles = try accessor.mutableItems(for: changed)
                try accessor.update(changed, .set(\.weight, to: 4))
                if handles.contains(where: { $0.weight != 4 }) {
                    throw DataStoreError(.damaged, "old values")
                }
            }
        case .updateRecorded:
            let stream = store.changes
            defer { withExtendedLifetime(stream) {} }
            return try write { try $0.update(changed, .set(\.box, to: ToOne(id: 5))) }
        case .upsert: return try write { try $0.upsert(contentsOf: known + new) }
        case .deleteByIDs: return try write { try $0.delete(ids: ids, of: Part.self) }
        case .deleteByRequest: return try write { try $0.deleteItems(for: changed) }
        case .link: return try write { try $0.mutableItem(id: 1, of: Mark.self)?.parts.add(ids: ids) }
        case .linkInOrder: return try write { try $0.mutableItem(id: 1, of: Mark.self)?.steps.add(ids: ids) }
        case .unlink:
            return try write { accessor in
                try accessor.mutableItem(id: 7, of: Mark.self)?.parts.replace(
                    byIDs: Int64(count)..<Int64(count + Self.untouched))
            }
        case .giveToOwner: return try write { try $0.mutableItem(id: 3, of: Box.self)?.parts.add(ids: ids) }
        case .sortByOther: return try read { _ = try $0.items(for: changed.sorted(by: \.box.room)) }
        case .importNew:
            return try write { try $0.importItems(from: PartSource.of(new), using: PartSource.map) }
        case .importKnown:
            return try write { try $0.importItems(from: PartSource.of(known), using: PartSource.adding) }
        case .importReplacing:
            return try write { try $0.importItems(from: PartSource.of(known), using: PartSource.map) }
        case .importWaiting:
            // Each has the name of one in another batch, if there are several.
            let renamed = known.map { Part($0.id, name: "part \(($0.id + Int64(count) / 2) % Int64(count))") }
            return try write { try $0.importItems(from: PartSource.of(renamed), using: PartSource.map) }
        case .merge, .mergeOfLinks, .mergeOfDeletions, .refresh, .readInChild, .readInGrandchild,
            .insertInChild,
            .updateInChild, .deleteInChild, .deleteAllInChild:
            return try recordChild(of: store, changed, self == .mergeOfLinks ? linked : new, ids)
        }
    }

    private func recordChild(
        of store: TemporaryStore, _ changed: DataStoreRequest<Part>, _ new: [Part], _ ids: [Int64]
    ) throws -> StoreRecording {
        let child = try store.makeChildDataStore()
        try child.setup()
        func record(_ body: () throws -> Void) throws -> StoreRecording { try store.record(body) }
        switch self {
        case .merge, .mergeOfLinks:
            try child.writeSync { accessor in
                try accessor.insert(contentsOf: new)
                try accessor.update(changed, .set(\.weight, to: 4))
            }
            return try record { try store.merge(child) }
        case .mergeOfDeletions:
            try child.writeSync { _ = try $0.delete(ids: ids, of: Part.self) }
            return try record { try store.merge(child) }
        case .refresh:
            try child.writeSync { _ = try $0.update(changed, .set(\.weight, to: 4)) }
            return try record { try child.refresh() }
        case .readInChild:
            try child.writeSync { _ = try $0.insert(Part(20_000)) }
            return try record { _ = try child.read { try $0.items(ids: ids, of: Part.self) } }
        case .readInGrandchild:
            let draft = try child.makeChildDataStore()
            try child.writeSync { _ = try $0.update(changed, .set(\.weight, to: 4)) }
            try draft.writeSync { _ = try $0.insert(Part(20_000)) }
            return try record { _ = try draft.read { try $0.item(id: ids[0], of: Part.self) } }
        case .insertInChild: return try record { try child.writeSync { try $0.insert(contentsOf: new) } }
        case .updateInChild:
            return try record { _ = try child.writeSync { try $0.update(changed, .set(\.weight, to: 4)) } }
        case .deleteInChild:
            return try record { _ = try child.writeSync { try $0.delete(ids: ids, of: Part.self) } }
        default:
            try child.writeSync { try $0.insert(contentsOf: new) }
            return try record { _ = try child.writeSync { try $0.deleteAllItems(of: Part.self) } }
        }
    }
}
