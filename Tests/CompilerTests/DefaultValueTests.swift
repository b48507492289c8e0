import Testing

/// The initializer of an item takes the values of its properties as defaults, whoever may see what they name.
@Suite(.enabled(if: Compiler.isThere))
struct DefaultValueTests {
    @Test(arguments: ["public", "package", "internal"])
    func `a default may name what is less visible than the item`(access: String) throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    enum Defaults { static let retries = 3 }
                    public struct Place: CodableAttribute {
                        public var x: Int
                        init() { x = 0 }
                        static let home = Place()
                    }
                    @StoredItem \(access) struct Job {
                        \(access) var retries: Int = Defaults.retries
                        \(access) var place: Place = .init()
                        \(access) var home: Place = .home
                        \(access) var limit: Int = Self.limits.max() ?? 1
                        \(access) var made: Date = Date()
                        \(access) var names: [String] = []
                        \(access) var `default`: Int = Job.limits[0]
                        private static let limits = [1, 2]
                    }
                    func job() -> Job { Job(retries: 4, limit: 1) }
                    """, options: ["-package-name", "app"])

            #expect(complaints == [])
        }
    }

    @Test(arguments: ["public", "package", "internal"])
    func `a choice may be the value of a transient property`(access: String) throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    enum Screen { static let isWide = true }
                    @StoredItem \(access) struct Page {
                        \(access) var text: String
                        @Transient \(access) var columns: Int = if Screen.isWide { 2 } else { 1 }
                        @Transient \(access) var hint: String? = switch Screen.isWide {
                            case true: "wide"
                            case false: nil
                        }
                    }
                    @StoredItem \(access) struct Sheet {
                        \(access) var text: String
                        @Transient private var depth: Int = if Screen.isWide { 1 } else { 0 }
                    }
                    func pages() -> [Page] {
                        [Page(text: "a"), Page(text: "b", columns: 3), Page(text: "c", columns: 3, hint: nil)]
                    }
                    func sheet() -> Sheet { Sheet(text: "a") }
                    """, options: ["-package-name", "app"])

            #expect(complaints == [])
        }
    }

    @Test func `a property that is less visible than the item may be of a hidden type`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    enum State: String, AttributeValue { case draft, done }
                    private enum Trace: String, AttributeValue { case low, high }
                    @StoredItem struct Kind { var name: String }
                    @StoredItem public struct Note {
                        var state: State = .draft
                        var former: Optional<State>
                        var kinds: ToMany<Kind>
                        public var text: String
                    }
                    @StoredItem struct Page {
                        let id: Int
                        private var trace: Trace = .low
                        fileprivate var former: Trace?
                        var text: String
                    }
                    func notes(_ kind: Kind) -> [Note] {
                        [Note(text: "a"), Note(state: .done, text: "b"), Note(kinds: [kind], text: "c")]
                    }
                    func pages() -> [Page] { [Page(id: 1, text: "a"), Page(id: 2, trace: .high, text: "b")] }
                    """)

            #expect(complaints == [])
        }
    }

    @Test func `a property that a computed one sets in initializers is taken itself`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    @StoredItem struct Wheel {
                        var degrees: Double
                        var turns: Double {
                            @storageRestrictions(initializes: degrees)
                            init(turns) { degrees = turns * 360 }
                            get { degrees / 360 }
                            set { degrees = newValue * 360 }
                        }
                    }
                    func wheel() -> Wheel { Wheel(degrees: 90) }
                    """)

            #expect(complaints == [])
        }
    }

    @Test func `a type that is private to the item is one error`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    @StoredItem struct Note {
                        private enum State: String, AttributeValue { case draft }
                        private var state: State = .draft
                    }
                    """)

            #expect(complaints.map(\.line) == [3])
            let text = "'State' is private to 'Note', so the attribute of 'state' cannot name it"
            #expect(complaints.first?.text.hasPrefix(text) == true, "\(complaints)")
        }
    }

    @Test func `a property that is declared twice is Swift's own error`() throws {
        try withCompiler { compiler in
            let complaints = try compiler.complaints(
                about: """
                    @StoredItem struct Note { var name: String; var name: String }
                    """)

            #expect(
                complaints.contains { $0.text.contains("invalid redeclaration of 'name'") }, "\(complaints)")
            #expect(
                !complaints.contains { $0.text.contains("external macro implementation") }, "\(complaints)")
        }
    }
}
