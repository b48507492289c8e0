import Larder
@testable import AdapterTestSupport

/// An attribute of a specimen twice: as the store knows it, and as plain Swift.
struct Field<ID: SpecimenID> {
    typealias Item = Specimen<ID>

    let name: String
    /// Compares two specimens by the attribute.
    let order: (Item, Item) -> Int
    /// Adds the attribute to the order of a request.
    let sort: (DataStoreRequest<Item>, SortDirection) -> DataStoreRequest<Item>
    /// A random condition on the attribute.
    let makeTest: (inout Seed) -> Condition<ID>
    /// A random new value; nil for the identifier.
    let makeChange: ((inout Seed) -> Change<ID>)?

    /// An attribute and where its random values come from.
    init<Value: ModelValue>(
        _ name: String, _ path: AttributePath<Item, Value>, _ property: WritableKeyPath<Item, Value>,
        _ makeValue: @escaping (inout Seed) -> Value
    ) {
        self.init(
            name, path, property,
            makeTest: { Self.comparison(name, path, property, makeValue, &$0) },
            makeChange: { Change(name, path, property, to: makeValue(&$0)) })
    }

    /// A text attribute, on which there are more tests.
    init<Value: ModelText>(
        text name: String, _ path: AttributePath<Item, Value>, _ property: WritableKeyPath<Item, Value>,
        _ makeValue: @escaping (inout Seed) -> Value
    ) {
        self.init(
            name, path, property,
            makeTest: { generator in
                generator.oneIn(2)
                    ? Self.textTest(name, path, property, makeValue, &generator)
                    : Self.comparison(name, path, property, makeValue, &generator)
            },
            makeChange: { Change(name, path, property, to: makeValue(&$0)) })
    }

    /// The identifier, which is final.
    init(identifier makeValue: @escaping (inout Seed) -> ID) {
        self.init(
            "id", \.id, \.id, makeTest: { Self.comparison("id", \.id, \.id, makeValue, &$0) }, makeChange: nil
        )
    }

    private init<Value: ModelValue>(
        _ name: String, _ path: AttributePath<Item, Value>, _ property: KeyPath<Item, Value>,
        makeTest: @escaping (inout Seed) -> Condition<ID>,
        makeChange: ((inout Seed) -> Change<ID>)?
    ) {
        self.name = name
        self.makeTest = makeTest
        self.makeChange = makeChange
        order = { Value.order($0[keyPath: property], $1[keyPath: property]) }
        sort = { $0.sorted(by: path, $1) }
    }
}

/// A new value for an attribute in all three ways: in the model, through a handle, and by request.
struct Change<ID: SpecimenID>: CustomStringConvertible {
    let description: String
    let apply: (inout Specimen<ID>) -> Void
    let set: (Mutable<Specimen<ID>>) -> Void
    let assignment: Assignment<Specimen<ID>>

    init<Value: ModelValue>(
        _ name: String, _ path: AttributePath<Specimen<ID>, Value>,
        _ property: WritableKeyPath<Specimen<ID>, Value>, to value: Value
    ) {
        description = "\(name) = \(Values.text(value))"
        apply = { $0[keyPath: property] = value }
        set = { $0[dynamicMember: property] = value }
        assignment = .set(path, to: value)
    }
}
