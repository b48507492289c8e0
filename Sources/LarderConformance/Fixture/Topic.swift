import struct Foundation.UUID
import Larder

/// The effect of the deletion of a ``Topic`` on the notes that refer to it.
protocol TopicRule: Sendable {
    static var deleteRule: DeleteRule { get }
}

enum Unruled: TopicRule { static let deleteRule = DeleteRule.noAction }
enum Freeing: TopicRule { static let deleteRule = DeleteRule.nullify }
enum Taking: TopicRule { static let deleteRule = DeleteRule.cascade }
enum Denying: TopicRule { static let deleteRule = DeleteRule.deny }

/// An item of one of four types, whose identifiers are of all kinds; notes may be about notes.
enum Topic<Rule: TopicRule>: ItemUnion, Equatable {
    case number(Keyed<Int64>)
    case word(Keyed<String>)
    case code(Keyed<UUID>)
    case note(Note<Rule>)

    static var members: [UnionMember<Topic>] {
        [
            .type(Keyed<Int64>.self, named: "Number: %", Topic.number), .type(Keyed<String>.self, Topic.word),
            .type(Keyed<UUID>.self, Topic.code), .type(Note<Rule>.self, Topic.note),
        ]
    }

    struct Attributes: Sendable {}

    static var attributes: Attributes { Attributes() }
    static var deleteRule: DeleteRule { Rule.deleteRule }

    var item: any DataStoreItem {
        switch self {
        case .number(let item): item
        case .word(let item): item
        case .code(let item): item
        case .note(let item): item
        }
    }
}

/// An item about any other one.
struct Note<Rule: TopicRule>: DataStoreItem, Equatable {
    let id: ItemID<Note>
    var topic: ToAny<Topic<Rule>>?
    var text: String

    init(_ id: Int64, on topic: ToAny<Topic<Rule>>? = nil, _ text: String = "") {
        self.id = ItemID(rawValue: id)
        self.topic = topic
        self.text = text
    }

    struct Attributes: Sendable {
        let id = Attribute<Note, ItemID<Note>>(column: 0)
        let topic = Attribute<Note, ToAny<Topic<Rule>>?>(column: 1)
        let text = Attribute<Note, String>(column: 2)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema {
        EntitySchema(
            "Note",
            attributes: [
                .attribute("id", ItemID<Note>.self), .attribute("topic", ToAny<Topic<Rule>>?.self),
                .attribute("text", String.self),
            ])
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        topic = try row.value(at: 1)
        text = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(topic, at: 1)
        try row.set(text, at: 2)
    }
}

/// An item that has to be about another one.
struct Review<Rule: TopicRule>: DataStoreItem {
    let id: Int64
    var topic: ToAny<Topic<Rule>>

    struct Attributes: Sendable {
        let id = Attribute<Review, Int64>(column: 0)
        let topic = Attribute<Review, ToAny<Topic<Rule>>>(column: 1)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema {
        EntitySchema(
            "Review",
            attributes: [.attribute("id", Int64.self), .attribute("topic", ToAny<Topic<Rule>>.self)])
    }

    init(_ id: Int64, on topic: ToAny<Topic<Rule>>) {
        self.id = id
        self.topic = topic
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        topic = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(topic, at: 1)
    }
}
