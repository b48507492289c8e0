public import LarderKernel

/// The number of a relationship's links and their digest.
public struct RelationshipDigest: Sendable, Hashable {
    /// The stored name of the item type that the links start from.
    public let entity: String
    public let relationship: String
    /// The digest of the links.
    ///
    /// Among all digests of a store, its name is `Recipe.tags`.
    public let digest: EntityDigest
}

extension UntypedReader {
    /// The digests among some of this store that are of links; all others are of items.
    ///
    ///     let links = reader.links(in: try reader.digests())
    ///     for links in links { print(links.entity, links.relationship, links.digest.count) }
    ///
    /// They come in the order of the item types and their relationships.
    public func links(in digests: [EntityDigest]) -> [RelationshipDigest] { schema.links(in: digests) }
}

extension StoreSchema {
    func links(in digests: [EntityDigest]) -> [RelationshipDigest] {
        relationships.joined().compactMap { relationship in
            guard case .links(let side) = relationship.form, !side.isReversed else { return nil }
            let name = entities[side.entity].name
            return digests.first { UTF8Text.areEqual($0.entity, name) }.map { digest in
                RelationshipDigest(
                    entity: entities[relationship.owner].name, relationship: relationship.name,
                    digest: digest)
            }
        }
    }
}
