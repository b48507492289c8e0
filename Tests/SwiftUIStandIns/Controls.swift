#if !canImport(SwiftUI)
    public struct Text: DrawnView {
        private let text: String
        public init(_ text: String) { self.text = text }
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] { [text] }
    }

    public struct ForEach<Data: RandomAccessCollection, Content: View>: DrawnView
    where Data.Element: Identifiable {
        private let data: Data
        private let content: (Data.Element) -> Content

        public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
            self.data = data
            self.content = content
        }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            data.flatMap { host.draw(content($0), in: environment) }
        }
    }

    public typealias List = ForEach

    public struct Form<Content: View>: DrawnView {
        private let content: Content
        public init(@ViewBuilder content: () -> Content) { self.content = content() }
        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            host.draw(content, in: environment)
        }
    }

    public typealias VStack = Form

    public struct Section<Content: View>: DrawnView {
        private let title: String
        private let content: Content

        public init(_ title: String, @ViewBuilder content: () -> Content) {
            self.title = title
            self.content = content()
        }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            [title] + host.draw(content, in: environment)
        }
    }

    public struct TextField: DrawnView {
        private let title: String
        private let text: Binding<String>

        public init(_ title: String, text: Binding<String>) {
            self.title = title
            self.text = text
        }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] {
            ["\(title): \(text.wrappedValue)"]
        }
    }

    public struct Stepper: DrawnView {
        private let title: String

        public init<Value: Strideable>(_ title: String, value: Binding<Value>, in bounds: ClosedRange<Value>)
        {
            self.title = title
        }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] { [title] }
    }

    public struct Button: DrawnView {
        private let title: String

        public init(_ title: String, action: @escaping @MainActor () -> Void) { self.title = title }

        public func lines(on host: Host, in environment: EnvironmentValues) -> [String] { ["[\(title)]"] }
    }

    @MainActor
    public protocol Scene {}

    public struct WindowGroup<Content: View>: Scene {
        let content: Content
        public init(@ViewBuilder content: () -> Content) { self.content = content() }
    }

    @MainActor
    public protocol App {
        associatedtype Body: Scene
        var body: Body { get }
        init()
    }

    extension App {
        public static func main() { print("This app needs SwiftUI: run it on a Mac, or in a simulator.") }
    }
#endif
