public import LarderAggregates
public import LarderKernel

extension DataStoreReadAccessor {
    /// The sum of an attribute of the items of a request for several types.
    ///
    ///     let total = try accessor.sum(\.price, for: Medium.all)
    ///
    /// Nil is left out; the sum of nothing is 0. Sums are exact, or rounded once: see
    /// ``LarderAggregates/Aggregate``. Exactly the items that the request gives, its offset and limit included.
    ///
    /// *Cost:* one pass over the attribute, row by row; constant memory.
    ///
    /// - Throws: `.overflow`, naming the attribute; otherwise as ``items(for:)``.
    public final func sum<Union: ItemUnion, Value: SummableAttributeValue>(
        _ attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>, for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Value.Sum {
        try aggregate(.sum, of: Union.attributes[keyPath: attribute], request)
    }

    /// The average of an attribute of the items of a request for several types; nil if there is no value.
    ///
    /// *Cost:* as ``sum(_:for:)``.
    ///
    /// - Throws: As ``sum(_:for:)``.
    public final func average<Union: ItemUnion, Value: SummableAttributeValue>(
        _ attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>, for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Value.Average? {
        try aggregate(
            .average(places: Value.averagePlaces), of: Union.attributes[keyPath: attribute], request)
    }

    /// The smallest value of an attribute of the items of a request for several types; nil if there is no value.
    ///
    ///     let first = try accessor.minimum(\.title, for: Medium.all)
    ///
    /// In the order of ``UnionRequest/sorted(by:_:)``; nil is left out. *Cost:* without an offset and a limit, the first
    /// row of each member, by an index if it has one; otherwise as ``sum(_:for:)``.
    ///
    /// - Throws: As ``items(for:)``.
    public final func minimum<Union: ItemUnion, Value: AttributeValue>(
        _ attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>, for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Value.Unwrapped? {
        try aggregate(.minimum, of: Union.attributes[keyPath: attribute], request)
    }

    /// The greatest value of an attribute of the items of a request for several types; nil if there is no value.
    ///
    /// *Cost:* as ``minimum(_:for:)``.
    ///
    /// - Throws: As ``items(for:)``.
    public final func maximum<Union: ItemUnion, Value: AttributeValue>(
        _ attribute: KeyPath<Union.Attributes, UnionAttribute<Union, Value>>, for request: UnionRequest<Union>
    ) throws(DataStoreError) -> Value.Unwrapped? {
        try aggregate(.maximum, of: Union.attributes[keyPath: attribute], request)
    }

    private func aggregate<Union: ItemUnion, Value: AttributeValue, Answer: AttributeStorable>(
        _ function: AggregateFunction, of attribute: UnionAttribute<Union, Value>,
        _ request: UnionRequest<Union>
    ) throws(DataStoreError) -> Answer {
        var columns: [Int] = []
        for (member, column) in zip(Union.members, attribute.memberColumns) {
            guard let column else { throw request.mistake(missingAttribute(in: member.type.schema)) }
            columns.append(column)
        }
        try request.validate()
        var request = request
        if request.offset == 0, request.limit == nil {
            switch function {
            case .minimum: request = request.ordered(by: columns, isAscending: true).limit(1)
            case .maximum: request = request.ordered(by: columns, isAscending: false).limit(1)
            case .count, .countValues, .countDistinct, .sum, .average:
                request = request.ordered(by: nil, isAscending: true)
            }
        }
        let schema = Union.members[0].type.schema
        let name = schema.attributes[columns[0]].propertyName
        let storage = Value.attributeType.storage
        let totals = try GroupTotals(
            keys: [],
            terms: [
                (
                    function,
                    GroupTotals.Value(position: 0, storage: storage, itemType: schema.name, attribute: name)
                )
            ])
        let walk = try UnionWalk(request, columns: columns, in: block()) {
            (_: any MemberType<Union>, scan) throws(DataStoreError) in
            Constant(scan.cells[0], storage: storage)
        }
        defer { walk.close() }
        while let value = try walk.next() {
            try value.withCell { cell throws(DataStoreError) in
                try withUnsafePointer(to: cell) { cells throws(DataStoreError) in try totals.add(cells) }
            }
        }
        let result = try totals.rows().value(0, of: 0)
        if let value = result.withCell({ Answer.decode($0) }) { return value }
        throw DataStoreError(
            .overflow, "The type of the \(function) cannot hold it.", itemType: schema.name, attribute: name)
    }
}
