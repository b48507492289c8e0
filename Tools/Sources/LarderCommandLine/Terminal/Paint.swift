/// Colors text, or returns it unchanged if colors are off.
struct Paint: Sendable, Hashable {
    enum Color: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    var isEnabled: Bool

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isEnabled ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
