#if !canImport(SwiftUI)
    /// Stands in for SwiftUI's protocol, with a line of text for each line that is drawn.
    @MainActor
    public protocol View {
        associatedtype Body: View
        @ViewBuilder var body: Body { get }
        /// What the host draws.
        func lines(on host: Host, in environment: EnvironmentValues) -> [String]
    }

    extension View {
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            host.draw(body, in: environment)
        }

        public func environment<Value>(
            _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
        ) -> some View {
            Modified(content: self) { $0[keyPath: path] = value }
        }

        public func onAppear(perform action: (() -> Void)? = nil) -> some View {
            Modified(content: self) { _ in action?() }
        }

        public func disabled(_ isDisabled: Bool) -> some View { self }
        public func navigationTitle(_ title: String) -> some View { self }
        public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
            TupleView(self, content())
        }
        public func sheet<Item: Identifiable, Content: View>(
            item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
        ) -> some View {
            TupleView(self, item.wrappedValue.map(content))
        }
    }

    /// A view that is drawn without a body.
    public protocol DrawnView: View where Body == Never {}

    extension DrawnView {
        public var body: Never { preconditionFailure("\(Self.self) is drawn without a body.") }
    }

    extension Never: View {
        public var body: Never { preconditionFailure("There is no view to draw.") }
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] { [] }
    }

    struct Modified<Content: View>: DrawnView {
        let content: Content
        let modify: (inout EnvironmentValues) -> Void

        func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            var inner = environment
            modify(&inner)
            return host.draw(content, in: inner)
        }
    }

    @resultBuilder
    public enum ViewBuilder {
        public static func buildBlock() -> EmptyView { EmptyView() }
        public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
        @MainActor
        public static func buildBlock<each Content: View>(
            _ content: repeat each Content
        ) -> TupleView<repeat each Content> {
            TupleView(repeat each content)
        }
        public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
        public static func buildEither<Yes: View, No: View>(first: Yes) -> Either<Yes, No> { .yes(first) }
        public static func buildEither<Yes: View, No: View>(second: No) -> Either<Yes, No> { .no(second) }
    }

    public struct EmptyView: DrawnView {
        public nonisolated init() {}
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] { [] }
    }

    extension Optional: View where Wrapped: View {
        public var body: Never { preconditionFailure("An optional view is drawn without a body.") }
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            map { host.draw($0, in: environment) } ?? []
        }
    }

    public enum Either<Yes: View, No: View>: DrawnView {
        case yes(Yes)
        case no(No)

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            switch self {
            case .yes(let view): host.draw(view, in: environment)
            case .no(let view): host.draw(view, in: environment)
            }
        }
    }

    public struct TupleView<each Content: View>: DrawnView {
        private let content: (repeat each Content)

        init(_ content: repeat each Content) { self.content = (repeat each content) }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            var lines: [String] = []
            for view in repeat each content { lines += host.draw(view, in: environment) }
            return lines
        }
    }
#endif
