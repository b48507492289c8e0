import Foundation
import Larder
import LarderTransfer

/// The description of a store and its contents.
struct StoreDescription {
    private let address: StoreAddress
    private let identity: String?
    private let generation: Int
    private let transfer: StoredSchema.Transfer?
    private let byteCount: Int
    private let types: [(description: TypeDescription, count: Int)]

    /// - Parameter byteCount: The total size of the store's files before it was opened.
    init(_ store: UntypedStore, _ reader: UntypedReader, byteCount: Int) throws {
        address = store.address
        identity = store.storedSchema.identity?.uuidString
        generation = store.storedSchema.generation
        transfer = store.storedSchema.transfer
        self.byteCount = byteCount
        types = try reader.entities.map { entity in
            (TypeDescription(entity), try reader.count(for: UntypedRequest(entity.name)))
        }
    }

    var fieldsForPeople: [OutputValue.Field] {
        var fields: [OutputValue.Field] = [
            .init("store", .text(address.location)), .init("engine", .text(address.engine)),
            .init("size", .text(FigureText.bytes(byteCount))),
            .init("items", .text(FigureText.count(types.reduce(0) { $0 + $1.count }))),
            .init("identity", .text(identity ?? "none yet")),
            .init("schema generation", .count(generation)),
        ]
        if let transfer {
            let end = transfer.isComplete ? "" : ", incomplete"
            fields.append(.init("copied from", .text(transfer.source.description + end)))
        }
        return fields
    }

    /// Name, items, attributes and indexes of each type.
    var typeRows: [[OutputValue]] {
        types.map { type in
            let description = type.description
            return [
                .text(description.name), .count(type.count), .count(description.attributeRows.count),
                .count(description.indexRows.count),
            ]
        }
    }

    var record: OutputValue {
        .record([
            .init("store", .text(address.location)), .init("engine", .text(address.engine)),
            .init("bytes", .count(byteCount)), .init("identity", identity.map { .text($0) } ?? .null),
            .init("generation", .count(generation)),
            .init("copiedFrom", transfer.map { .text($0.source.description) } ?? .null),
            .init("isComplete", .bool(transfer?.isComplete ?? true)),
            .init("types", .list(types.map { $0.description.record(items: $0.count) })),
        ])
    }
}

/// The attributes and indexes of an item type.
struct TypeDescription {
    private let entity: EntitySchema

    init(_ entity: EntitySchema) {
        self.entity = entity
    }

    var name: String { entity.name }

    /// Name, type, and yes if the value is required.
    var attributeRows: [[OutputValue]] {
        entity.attributes.map {
            [.text($0.name), .text($0.type.rawValue), .text($0.isOptional ? "no" : "yes")]
        }
    }

    /// Attributes, and yes if the index is unique.
    var indexRows: [[OutputValue]] {
        entity.indexes.map {
            [.text(attributeNames(of: $0).joined(separator: ", ")), .text($0.isUnique ? "yes" : "no")]
        }
    }

    var record: OutputValue { record(items: nil) }

    func record(items: Int?) -> OutputValue {
        let attributes = entity.attributes.map { attribute in
            OutputValue.record([
                .init("name", .text(attribute.name)), .init("type", .text(attribute.type.rawValue)),
                .init("isOptional", .bool(attribute.isOptional)),
            ])
        }
        let indexes = entity.indexes.map { index in
            OutputValue.record([
                .init("attributes", .list(attributeNames(of: index).map { .text($0) })),
                .init("isUnique", .bool(index.isUnique)),
            ])
        }
        let count = items.map { [OutputValue.Field("items", .count($0))] } ?? []
        return .record(
            [.init("name", .text(name))] + count
                + [.init("attributes", .list(attributes)), .init("indexes", .list(indexes))])
    }

    private func attributeNames(of index: IndexSchema) -> [String] {
        index.columns.map { entity.attributes[$0].name }
    }
}
