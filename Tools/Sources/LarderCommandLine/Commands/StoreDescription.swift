import Foundation
import Larder
import LarderTransfer

/// The description of a store and its contents.
struct StoreDescription {
    private let address: StoreAddress
    private let identity: String?
    private let generation: Int
    private let transfer: StoredSchema.Transfer?
    private let byteCount: Int?
    private let types: [(description: TypeDescription, count: Int)]
    /// The number of links of all relationships; nil if none is kept as links.
    private let links: Int?

    /// - Parameter byteCount: The total size of the store's files before it was opened; nil for a store on a server.
    init(_ store: UntypedStore, _ reader: UntypedReader, byteCount: Int?) throws {
        address = store.address
        identity = store.storedSchema.identity?.uuidString
        generation = store.storedSchema.generation
        transfer = store.storedSchema.transfer
        self.byteCount = byteCount
        types = try reader.entities.filter { !$0.isLink }.map { entity in
            (try TypeDescription(entity, reader), try reader.count(for: UntypedRequest(entity.name)))
        }
        let counts = types.flatMap(\.description.linkCounts)
        links = counts.isEmpty ? nil : counts.reduce(0, +)
    }

    var fieldsForPeople: [OutputValue.Field] {
        var fields: [OutputValue.Field] = [
            .init("store", .text(address.location)), .init("engine", .text(address.engine)),
        ]
        if let byteCount { fields.append(.init("size", .text(FigureText.bytes(byteCount)))) }
        fields.append(.init("items", .text(FigureText.count(types.reduce(0) { $0 + $1.count }))))
        if let links { fields.append(.init("links", .text(FigureText.count(links)))) }
        fields += [
            .init("identity", .text(identity ?? "none yet")),
            .init("schema generation", .count(generation)),
        ]
        if let transfer {
            let end = transfer.isComplete ? "" : ", incomplete"
            fields.append(.init("copied from", .text(transfer.source.description + end)))
        }
        return fields
    }

    var hasRelationships: Bool { types.contains { !$0.description.relationshipRows.isEmpty } }

    /// Name, items, attributes and indexes of each type, and relationships if any type has them.
    var typeRows: [[OutputValue]] {
        types.map { type in
            let description = type.description
            let row: [OutputValue] = [
                .text(description.name), .count(type.count), .count(description.attributeRows.count),
                .count(description.indexRows.count),
            ]
            return hasRelationships ? row + [.count(description.relationshipRows.count)] : row
        }
    }

    var record: OutputValue {
        .record([
            .init("store", .text(address.location)), .init("engine", .text(address.engine)),
            .init("bytes", byteCount.map { .count($0) } ?? .null),
            .init("identity", identity.map { .text($0) } ?? .null),
            .init("generation", .count(generation)),
            .init("copiedFrom", transfer.map { .text($0.source.description) } ?? .null),
            .init("isComplete", .bool(transfer?.isComplete ?? true)),
            .init("types", .list(types.map { $0.description.record(items: $0.count) })),
        ])
    }
}

/// The attributes, indexes and relationships of an item type.
struct TypeDescription {
    private let entity: EntitySchema
    private let relationships: [RelationshipDescription]

    init(_ entity: EntitySchema, _ reader: UntypedReader) throws {
        self.entity = entity
        relationships = try reader.relationships(of: entity.name).map { relationship in
            try RelationshipDescription(relationship, reader)
        }
    }

    /// The links of each relationship that starts here.
    var linkCounts: [Int] { relationships.compactMap { $0.isDerived ? nil : $0.links } }

    /// Name, kind, target, inverse, delete rule and links.
    var relationshipRows: [[OutputValue]] { relationships.map { $0.fields.map(\.value) } }

    var name: String { entity.name }

    /// Name, type, and yes if the value is required.
    var attributeRows: [[OutputValue]] {
        entity.declaredAttributes.map {
            [.text($0.name), .text($0.type.rawValue), .text($0.isOptional ? "no" : "yes")]
        }
    }

    /// Attributes, and yes if the index is unique.
    var indexRows: [[OutputValue]] {
        entity.indexes.map {
            [.text(attributeNames(of: $0).joined(separator: ", ")), .text($0.isUnique ? "yes" : "no")]
        }
    }

    func record(items: Int? = nil) -> OutputValue {
        let attributes = entity.declaredAttributes.map { attribute in
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
                + [
                    .init("attributes", .list(attributes)), .init("indexes", .list(indexes)),
                    .init("relationships", .list(relationships.map { .record($0.fields) })),
                ])
    }

    private func attributeNames(of index: IndexSchema) -> [String] {
        index.columns.map { entity.attributes[$0].name }
    }
}

/// One relationship of an item type.
struct RelationshipDescription {
    /// The number of its links; nil if it has none of its own.
    let links: Int?
    /// True if the links start at the other end.
    let isDerived: Bool
    /// Name, kind, target, inverse, delete rule and links.
    let fields: [OutputValue.Field]

    init(_ relationship: StoreRelationship, _ reader: UntypedReader) throws {
        if case .links(let side) = relationship.form {
            links = try reader.count(for: UntypedRequest(reader.entities[side.entity].name))
            isDerived = side.isReversed
        } else {
            (links, isDerived) = (nil, false)
        }
        fields = [
            .init("name", .text(relationship.name)), .init("kind", .text(relationship.kind.rawValue)),
            .init("target", .text(relationship.targetSchema.name)),
            .init("inverse", reader.inverse(of: relationship).map { .text($0.name) } ?? .null),
            .init("deleteRule", .text(relationship.deleteRule.rawValue)),
            .init("links", links.map { .count($0) } ?? .null),
        ]
    }
}
