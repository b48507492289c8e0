public import Foundation
public import LarderKernel

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Filter {
    /// The filter that says the same as a predicate of Foundation.
    ///
    ///     let good = try Filter<Recipe>(#Predicate { $0.rating > 3 && $0.name.contains("cake") })
    ///     let sweet = try Filter<Recipe>(#Predicate { $0.kind?.item?.name == "Dessert" })
    ///     let withEgg = try Filter<Recipe>(#Predicate { recipe in
    ///         recipe.ingredients.items!.contains { $0.name == "Egg" }
    ///     })
    ///
    /// The predicate is translated once and never runs, so that indexes find the items. It may have
    ///
    /// - stored properties of the item without observers or wrappers, and through `kind.item?` and `kind.id`
    ///   properties of the item of a ``ToOne`` or ``ToOneInverse``, whether or not a request has read that item;
    /// - comparisons of properties, constants and calculations by `+`, `-`, `*`, `/`, `%`;
    /// - `&&`, `||`, `!`, `? :`, `if`, `??`, `!` after a value, `flatMap` and optional chains, `nil`;
    /// - `contains`, `starts(with:)` and `isEmpty` of a text, a captured text being looked for;
    /// - `contains` of a captured list or range, or of a range between properties; `contains(where:)` and
    ///   `allSatisfy` of a captured list;
    /// - of a relationship with many items, as `ingredients.items!` or `ingredients.items?`: `contains(where:)`,
    ///   `allSatisfy`, `isEmpty`, `count` beside a captured number, and `filter` before the first three;
    /// - captured values, and everything that is made of them alone.
    ///
    /// It means what a filter means: text is compared by its UTF-8 bytes, a calculation without a result is nil
    /// (see ``Calculation``), and `!` after a nil is as `?`. All related items count, whether or not they were read.
    ///
    /// - Throws: `.invalidRequest` for everything else, with the part of the predicate: computed properties, the
    ///   number of characters, `localizedStandardContains`, `caseInsensitiveCompare`, regular expressions, casts. Use
    ///   ``contains(_:_:_:)`` and ``equals(_:_:_:)`` with a ``TextMatching``, or ``matches(_:_:_:)``.
    public init(_ predicate: Predicate<Item>) throws(DataStoreError) {
        var translation = PredicateTranslation(predicate.variable)
        let filter = Filter(try translation.filter(predicate.expression))
        _ = try RowPredicate(filter.node, of: 0, in: try StoreSchema(reachableFrom: Item.self))
        self = filter
    }

    /// The filter, or one that requests throw the error of.
    fileprivate init(checkedLater predicate: Predicate<Item>) {
        do {
            try self.init(predicate)
        } catch {
            self.init(.mistake(RequestMistake(error.message)))
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension DataStoreItem {
    /// A request for the items that pass a predicate of Foundation; see ``Filter/init(_:)``.
    ///
    ///     let good = Recipe.where(#Predicate { $0.rating > 3 })
    ///
    /// A predicate that cannot become a filter is thrown by ``DataStoreRequest/validate()`` and by the first call
    /// that uses the request, as `.invalidRequest` with the part of the predicate.
    @_disfavoredOverload
    public static func `where`(_ predicate: Predicate<Self>) -> DataStoreRequest<Self> {
        `where`(Filter(checkedLater: predicate))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension DataStoreRequest {
    /// Returns a request for those items that also pass a predicate of Foundation; see ``Filter/init(_:)``.
    ///
    /// A predicate that cannot become a filter is thrown by ``validate()`` and by the first call that uses the
    /// request.
    @_disfavoredOverload
    public func filter(_ predicate: Predicate<Item>) -> DataStoreRequest {
        filter(Filter(checkedLater: predicate))
    }

    /// Adds the order of sort descriptors of Foundation; after an earlier order, it orders the items that the
    /// earlier one leaves equal.
    ///
    ///     Recipe.all.sorted(by: [
    ///         SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.name, comparator: .lexical),
    ///     ])
    ///
    /// It means what ``sorted(by:_:)`` means: nil comes first ascending, and text is ordered by its UTF-8 bytes, which
    /// a descriptor says by `.lexical`: without it, some platforms take another comparator. A descriptor that compares
    /// in another way, or by another property than a stored one, is thrown by ``validate()`` and by the first call that
    /// uses the request.
    @_disfavoredOverload
    public func sorted(by descriptors: [SortDescriptor<Item>]) -> DataStoreRequest {
        do {
            return sorted(by: try ItemOrder(descriptors))
        } catch {
            return filter(Filter(.mistake(RequestMistake(error.message))))
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ItemOrder {
    /// The order that sort descriptors of Foundation describe.
    ///
    ///     let byRating: ItemOrder<Recipe> = try ItemOrder([SortDescriptor(\.rating, order: .reverse)])
    ///
    /// - Throws: `.invalidRequest` for text without the comparator `.lexical`, and for a path to something else than an
    ///   attribute that has an order, a stored property without observers or wrappers.
    public init(_ descriptors: [SortDescriptor<Item>]) throws(DataStoreError) {
        self.init(terms: [])
        for descriptor in descriptors { terms.append(try Self.term(descriptor)) }
    }

    private static func term(_ descriptor: SortDescriptor<Item>) throws(DataStoreError) -> OrderTerm {
        guard let path = descriptor.keyPath, case .attribute(let column)? = ItemProperty(path, of: Item.self)
        else {
            let path = descriptor.keyPath.map { "\($0)" } ?? "no path"
            throw refused(
                "sorts by \(path), which is not a stored attribute of \(Item.schema.name), or has observers or a "
                    + "wrapper, which hide its name",
                advice: "Sort by a stored attribute, and with sorted(by:) if it has observers or a wrapper.")
        }
        guard Item.schema.attributes[column].type.isOrdered, StoredOrder.isOrder(of: type(of: path).valueType)
        else {
            throw refused(
                "sorts by \(Item.schema.attributes[column].propertyName), which a store orders in a way of its own",
                advice: "Sort by it with sorted(by:), if the order of what is stored will do.")
        }
        // Without a comparator, Apple's Foundation takes .localizedStandard, and others their own order of strings.
        let (valueType, lexical) = (type(of: path).valueType, String.StandardComparator.lexical)
        if valueType == String.self || valueType == String?.self, descriptor.stringComparator != lexical {
            throw refused(
                "sorts \(Item.schema.attributes[column].propertyName) without the comparator .lexical",
                advice: "Give the descriptor that comparator, or sort by the text with .localized().")
        }
        return OrderTerm(AttributePlace(column: column), isAscending: descriptor.order == .forward)
    }

    private static func refused(_ problem: String, advice: String) -> DataStoreError {
        DataStoreError(
            .invalidRequest, "The sort descriptor \(problem).", advice: advice, itemType: Item.schema.name)
    }
}
