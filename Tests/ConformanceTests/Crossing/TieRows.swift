import Larder

@testable import LarderConformance

/// The links of all relationships of the model as they are stored.
struct TieRows {
    private let entities: [(tie: Tie, number: Int, schema: EntitySchema)]

    init() throws {
        let schema = try StoreSchema(storing: Kind.types)
        entities = try Tie.allCases.map { tie in
            let owner = schema.number(of: tie.source.type).map { schema.relationships[$0] } ?? []
            guard case .links(let side)? = owner.first(where: { $0.name == tie.rawValue })?.form else {
                throw DataStoreError(.invalidSchema, "\(tie) has no links.")
            }
            return (tie, side.entity, schema.entities[side.entity])
        }
    }

    func all(_ accessor: DataStoreReadAccessor) throws -> [CrossingModel.LinkKey: CrossingModel.Link] {
        var links: [CrossingModel.LinkKey: CrossingModel.Link] = [:]
        for (tie, number, schema) in entities {
            try accessor.forEachRow(of: RequestPlan(entity: number, schema: schema)) { cells in
                links[CrossingModel.LinkKey(tie: tie, id: cells[0].integer)] = CrossingModel.Link(
                    source: cells[1].integer, target: cells[2].integer,
                    rank: tie == .wishes ? cells[3].string : "")
            }
        }
        return links
    }
}
