import Larder

/// One change of a basket, made in the draft or directly in the store.
enum Edit {
    case add(String, quantity: Int)
    case set(String, quantity: Int)
    case note(String, text: String)
    case remove(String)

    /// Reads a change from the words of a command; nil if they are another command.
    init?(_ words: [String]) throws(Refusal) {
        guard let command = words.first, Self.commands.contains(command) else { return nil }
        guard words.count > 1 else { throw Refusal("Name a product: \(command) tea") }
        let product = words[1]
        switch command {
        case "add": self = .add(product, quantity: try Self.quantity(words.count > 2 ? words[2] : "1"))
        case "set": self = .set(product, quantity: try Self.quantity(words.count > 2 ? words[2] : ""))
        case "note": self = .note(product, text: words.dropFirst(2).joined(separator: " "))
        default: self = .remove(product)
        }
    }

    private static let commands = ["add", "set", "note", "remove"]

    /// The quantities that a line may have.
    static let quantities = 1...100_000

    private static func quantity(_ word: String) throws(Refusal) -> Int {
        guard let quantity = Int(word), quantities.contains(quantity) else {
            throw Refusal("Give a quantity of 1 to \(quantities.upperBound): set tea 2")
        }
        return quantity
    }

    /// Makes the change in one block, and returns the line to print.
    func make(in store: any DataStore) throws -> String {
        try store.writeSync { accessor in
            switch self {
            case .add(let product, let quantity):
                guard let line = try accessor.mutableItem(id: product, of: Line.self) else {
                    guard try accessor.item(id: product, of: Product.self) != nil else {
                        throw Refusal("No product is called \(product).")
                    }
                    try accessor.insert(Line(id: product, product: ToOne(id: product), quantity: quantity))
                    return "added \(quantity) \(product)"
                }
                guard Self.quantities.contains(line.quantity + quantity) else {
                    let most = Self.quantities.upperBound
                    throw Refusal("The basket holds \(line.quantity) \(product); the most is \(most).")
                }
                line.quantity += quantity
                return "added \(quantity) \(product), now \(line.quantity)"
            case .set(let product, let quantity):
                try Self.line(product, accessor).quantity = quantity
                return "\(product): quantity \(quantity)"
            case .note(let product, let text):
                try Self.line(product, accessor).note = text.isEmpty ? nil : text
                return text.isEmpty ? "\(product): note removed" : "\(product): note \"\(text)\""
            case .remove(let product):
                try accessor.delete(try Self.line(product, accessor))
                return "removed \(product)"
            }
        }
    }

    private static func line(
        _ product: String, _ accessor: DataStoreReadWriteAccessor
    ) throws -> Mutable<Line> {
        guard let line = try accessor.mutableItem(id: product, of: Line.self) else {
            throw Refusal("The basket holds no \(product).")
        }
        return line
    }
}

/// A command that cannot be carried out; the message is for the user.
struct Refusal: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
