public import LarderKernel
public import LarderPattern

/// One attribute that all members of an ``ItemUnion`` have, under whichever name.
///
///     let title = UnionAttribute<Medium, String>(Recipe.attributes.name, Song.attributes.title)
///
/// Filters are made of it by `==`, `!=`, `<`, `<=`, `>`, `>=` and the functions below.
///
/// *Rule:* one attribute of each member, in any order; requests that use another list throw `.invalidRequest`.
public struct UnionAttribute<Union: ItemUnion, Value: AttributeValue>: Sendable {
    private let columns: [(type: any DataStoreItem.Type, column: Int)]

    /// The attribute that is one of these in each member.
    public init<each Item: DataStoreItem>(_ attribute: repeat Attribute<each Item, Value>) {
        var columns: [(type: any DataStoreItem.Type, column: Int)] = []
        repeat columns.append(((each Item).self, (each attribute).column))
        self.columns = columns
    }

    /// The column in each member; nil if the attribute does not name exactly one.
    var memberColumns: [Int?] {
        Union.members.map { member in
            let own = columns.filter { $0.type == member.type.itemType }
            return own.count == 1 ? own[0].column : nil
        }
    }
}

extension UnionAttribute {
    /// Items whose value is one of these.
    ///
    ///     let few = Medium.where { $0.title.isIn(["Abba", "Bread"]) }
    public func isIn(_ values: some Sequence<Value>) -> UnionFilter<Union> {
        let values = Array(values)
        return filter { .isIn($0, values) }
    }

    fileprivate func filter(_ test: (Int) -> FilterNode) -> UnionFilter<Union> {
        UnionFilter(
            zip(Union.members, memberColumns).map { member, column in
                if let column { return test(column) }
                return .mistake(RequestMistake(missingAttribute(in: member.type.schema)))
            })
    }
}

/// The message for a shared attribute that does not name exactly one attribute of a member.
func missingAttribute(in schema: EntitySchema) -> String {
    "An attribute of the union does not name exactly one attribute of \(schema.name)."
}

extension UnionAttribute where Value: TextAttributeValue {
    /// Items whose text contains another.
    ///
    ///     let love = Medium.where { $0.title.contains("love", .caseInsensitive) }
    public func contains(_ text: String, _ matching: TextMatching = .exact) -> UnionFilter<Union> {
        filter { .text(column: $0, TextTest(.contains, text, matching)) }
    }

    /// Items whose text begins with another.
    public func hasPrefix(_ text: String, _ matching: TextMatching = .exact) -> UnionFilter<Union> {
        filter { .text(column: $0, TextTest(.hasPrefix, text, matching)) }
    }

    /// Items whose text ends with another.
    public func hasSuffix(_ text: String, _ matching: TextMatching = .exact) -> UnionFilter<Union> {
        filter { .text(column: $0, TextTest(.hasSuffix, text, matching)) }
    }

    /// Items whose text equals another; for `.caseInsensitive` and others, as `==` compares bytes.
    public func equals(_ text: String, _ matching: TextMatching) -> UnionFilter<Union> {
        filter { .text(column: $0, TextTest(.equals, text, matching)) }
    }
}

// Between an attribute and a value, and not between a path and a value: an expression with paths then has no more
// operators to choose from than before.

public func == <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .equal, with: value) } }

public func != <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .notEqual, with: value) } }

public func < <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .less, with: value) } }

public func <= <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .lessOrEqual, with: value) } }

public func > <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .greater, with: value) } }

public func >= <Union, Value>(
    attribute: UnionAttribute<Union, Value>, value: Value
) -> UnionFilter<Union> { attribute.filter { .compare($0, .greaterOrEqual, with: value) } }
