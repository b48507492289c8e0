/// The item types of one store, each with its number.
///
/// *Rule:* immutable; belongs to the store, so that two stores may know one type in two ways.
public struct StoreSchema: Sendable {
    /// The item types in the order the store was made with; the index is the entity's number.
    public let entities: [EntitySchema]
    private let numbers: [ObjectIdentifier: Int]

    /// The schema of these item types.
    ///
    /// - Throws: `.invalidSchema` when a declaration contradicts itself, or two types share a name.
    public init(storing types: [any DataStoreItem.Type]) throws(DataStoreError) {
        var entities: [EntitySchema] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var names: Set<UTF8Key> = []
        for type in types where numbers[ObjectIdentifier(type)] == nil {
            let entity = type.schema
            guard names.insert(UTF8Key(entity.name)).inserted else {
                throw DataStoreError(
                    .invalidSchema, "Two item types are stored under the name \"\(entity.name)\".",
                    advice: "Give one of them another name: @StoredItem(\"OtherName\").",
                    itemType: entity.name)
            }
            if let problem = entity.problems.first {
                throw DataStoreError(
                    .invalidSchema, "The declaration of \(entity.name) is wrong: \(problem).",
                    itemType: entity.name)
            }
            numbers[ObjectIdentifier(type)] = entities.count
            entities.append(entity)
        }
        self.entities = entities
        self.numbers = numbers
    }

    /// The number of an item type, or nil when the store does not store it.
    public func number(of type: any DataStoreItem.Type) -> Int? {
        numbers[ObjectIdentifier(type)]
    }
}
