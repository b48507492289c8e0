/// Puts text in colours, or leaves it as it is where there are none.
struct Paint: Sendable, Hashable {
    enum Colour: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    var isEnabled: Bool

    func callAsFunction(_ text: String, _ colour: Colour) -> String {
        isEnabled ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
