#if !canImport(SwiftUI)
    public protocol EnvironmentKey {
        associatedtype Value
        static var defaultValue: Value { get }
    }

    public struct EnvironmentValues {
        private var values: [ObjectIdentifier: Any] = [:]

        public init() {}

        public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
            get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
            set { values[ObjectIdentifier(key)] = newValue }
        }
    }

    @propertyWrapper
    public struct Environment<Value>: DynamicProperty {
        private let path: KeyPath<EnvironmentValues, Value>
        private let box = Box<EnvironmentValues>(EnvironmentValues())

        public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

        public var wrappedValue: Value { box.value[keyPath: path] }
    }

    extension Environment: HostedProperty {
        func connect(to host: Host, in environment: EnvironmentValues) { box.value = environment }
        func adopt(_ old: any HostedProperty) {}
    }

    public struct DismissAction {
        var action: @MainActor () -> Void = {}

        public init(_ action: @escaping @MainActor () -> Void = {}) { self.action = action }

        @MainActor public func callAsFunction() { action() }
    }

    private enum DismissKey: EnvironmentKey {
        static var defaultValue: DismissAction { DismissAction() }
    }

    private enum UndoManagerKey: EnvironmentKey {
        static var defaultValue: UndoManager? { nil }
    }

    extension EnvironmentValues {
        public var dismiss: DismissAction {
            get { self[DismissKey.self] }
            set { self[DismissKey.self] = newValue }
        }

        public var undoManager: UndoManager? {
            get { self[UndoManagerKey.self] }
            set { self[UndoManagerKey.self] = newValue }
        }
    }

    /// Stands in for Foundation's class, which Linux does not have: each action is a group of its own.
    @MainActor
    public final class UndoManager {
        private var done: [(target: ObjectIdentifier, action: () -> Void)] = []
        private var undone: [(target: ObjectIdentifier, action: () -> Void)] = []
        private var isUndoing = false
        private var isRedoing = false

        public init() {}

        public var canUndo: Bool { !done.isEmpty }
        public var canRedo: Bool { !undone.isEmpty }

        public func registerUndo<Target: AnyObject>(
            withTarget target: Target, handler: @escaping @MainActor (Target) -> Void
        ) {
            let action = (ObjectIdentifier(target), { [unowned target] in handler(target) })
            if isUndoing { return undone.append(action) }
            done.append(action)
            if !isRedoing { undone = [] }
        }

        public func undo() {
            guard let last = done.popLast() else { return }
            isUndoing = true
            last.action()
            isUndoing = false
        }

        public func redo() {
            guard let last = undone.popLast() else { return }
            isRedoing = true
            last.action()
            isRedoing = false
        }

        public func removeAllActions(withTarget target: Any) {
            let target = ObjectIdentifier(target as AnyObject)
            done.removeAll { $0.target == target }
            undone.removeAll { $0.target == target }
        }
    }
#endif
