#if !canImport(SwiftUI)
    /// Stands in for SwiftUI's protocol, with a text for each line that is drawn.
    @MainActor
    protocol View {
        associatedtype Body: View
        @ViewBuilder var body: Body { get }
        var drawn: [String] { get }
    }

    extension View {
        var drawn: [String] { body.drawn }
    }

    extension Never: View {
        var body: Never { fatalError("a text has no body") }
    }

    @resultBuilder
    enum ViewBuilder {
        static func buildBlock<Content: View>(_ content: Content) -> Content { content }
        static func buildEither<Yes: View, No: View>(first: Yes) -> Either<Yes, No> { .yes(first) }
        static func buildEither<Yes: View, No: View>(second: No) -> Either<Yes, No> { .no(second) }
    }

    enum Either<Yes: View, No: View>: View {
        case yes(Yes)
        case no(No)
        var body: Never { fatalError("drawn by its parts") }
        var drawn: [String] {
            switch self {
            case .yes(let view): view.drawn
            case .no(let view): view.drawn
            }
        }
    }

    struct Text: View {
        let text: String
        init(_ text: String) { self.text = text }
        var body: Never { fatalError("drawn as it is") }
        var drawn: [String] { [text] }
    }

    struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
        let data: Data
        let content: (Data.Element) -> Content
        init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
            self.data = data
            self.content = content
        }
        var body: Never { fatalError("drawn by its elements") }
        var drawn: [String] { data.flatMap { content($0).drawn } }
    }

    typealias List = ForEach

    struct Section<Content: View>: View {
        let title: String
        let content: Content
        init(_ title: String, @ViewBuilder content: () -> Content) {
            self.title = title
            self.content = content()
        }
        var body: Never { fatalError("drawn by its parts") }
        var drawn: [String] { [title] + content.drawn }
    }

    @MainActor
    @propertyWrapper
    struct State<Value> {
        let wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    }
#endif
