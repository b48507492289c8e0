#if !canImport(SwiftUI)
    /// Stands in for Combine's protocol.
    public protocol ObservableObject: AnyObject {
        var objectWillChange: ObservableObjectPublisher { get }
    }

    /// Stands in for Combine's publisher, used on the main actor alone.
    public final class ObservableObjectPublisher {
        var receivers: [() -> Void] = []

        public init() {}

        public func send() {
            for receive in receivers { receive() }
        }
    }

    /// Stands in for SwiftUI's protocol: a property of a view that is brought up to date before it is drawn.
    public protocol DynamicProperty {
        mutating func update()
    }

    extension DynamicProperty {
        public mutating func update() {}
    }

    /// A property that the host of a view connects with itself.
    @MainActor
    protocol HostedProperty {
        func connect(to host: Host, in environment: EnvironmentValues)
        /// Takes over what the same property of the view's last value held.
        func adopt(_ old: any HostedProperty)
    }

    final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    @propertyWrapper
    public struct State<Value>: DynamicProperty {
        private final class Place {
            var value: Value
            var notify: () -> Void = {}
            init(_ value: Value) { self.value = value }
        }

        private let box: Box<Place>

        public init(wrappedValue: Value) { box = Box(Place(wrappedValue)) }
        public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

        public var wrappedValue: Value {
            get { box.value.value }
            nonmutating set {
                box.value.value = newValue
                box.value.notify()
            }
        }

        public var projectedValue: Binding<Value> {
            Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
        }
    }

    extension State where Value: ExpressibleByNilLiteral {
        public init() { self.init(wrappedValue: nil) }
    }

    extension State: HostedProperty {
        func connect(to host: Host, in environment: EnvironmentValues) {
            box.value.notify = { MainActor.assumeIsolated { host.invalidate() } }
        }

        func adopt(_ old: any HostedProperty) {
            if let old = old as? State { box.value = old.box.value }
        }
    }

    @propertyWrapper
    public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
        private let make: () -> ObjectType
        private let box = Box<ObjectType?>(nil)

        public init(wrappedValue make: @autoclosure @escaping () -> ObjectType) { self.make = make }

        @MainActor public var wrappedValue: ObjectType {
            if let object = box.value { return object }
            let object = make()
            box.value = object
            return object
        }

        @MainActor public var projectedValue: ObservedObject<ObjectType>.Wrapper {
            ObservedObject(wrappedValue: wrappedValue).projectedValue
        }
    }

    extension StateObject: HostedProperty {
        func connect(to host: Host, in environment: EnvironmentValues) {
            host.observe(wrappedValue)
        }

        func adopt(_ old: any HostedProperty) {
            if let old = old as? StateObject { box.value = old.box.value }
        }
    }

    @propertyWrapper
    public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
        @dynamicMemberLookup
        public struct Wrapper {
            let object: ObjectType

            public subscript<Subject>(
                dynamicMember path: ReferenceWritableKeyPath<ObjectType, Subject>
            ) -> Binding<Subject> {
                Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
            }
        }

        public let wrappedValue: ObjectType

        public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

        @MainActor public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
    }

    extension ObservedObject: HostedProperty {
        func connect(to host: Host, in environment: EnvironmentValues) { host.observe(wrappedValue) }
        func adopt(_ old: any HostedProperty) {}
    }

    @propertyWrapper
    @dynamicMemberLookup
    public struct Binding<Value> {
        private let get: () -> Value
        private let set: (Value) -> Void

        public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
            self.get = get
            self.set = set
        }

        public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue) }
        }

        public var projectedValue: Binding { self }

        public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
            Binding<Subject>(
                get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
        }
    }
#endif
