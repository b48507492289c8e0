import Larder

/// A conversation: reads a command from each line, and prints what it has done.
struct Session {
    private let store: any DataStore
    private let draft: Draft
    /// The next line without its end; nil at the end of the input.
    private let nextLine: () -> String?

    init(over store: any DataStore, reading nextLine: @escaping () -> String?) throws {
        self.store = store
        self.nextLine = nextLine
        draft = try Draft(of: store)
    }

    static let help = """
        add PRODUCT [QUANTITY], set PRODUCT QUANTITY, note PRODUCT [TEXT], remove PRODUCT
        undo, redo, changes, show
        confirm (stores the edits), cancel (throws them away)
        stored (shows the stored basket), other COMMAND (changes it, as another user would)
        products, help, quit
        """

    func run() throws {
        while let line = nextLine() {
            let words = line.split(separator: " ").map(String.init)
            if words.isEmpty { continue }
            if words == ["quit"] { return }
            do {
                try run(words)
            } catch let refusal as Refusal {
                print(refusal.message)
            } catch let error as DataStoreError {
                print(error.message)
            }
        }
    }

    private func run(_ words: [String]) throws {
        if let edit = try Edit(words) { return print(try draft.make(edit)) }
        switch words[0] {
        case "undo": try step(if: draft.canUndo, "undo") { draft.undo() }
        case "redo": try step(if: draft.canRedo, "redo") { draft.redo() }
        case "changes": try printChanges()
        case "show": try printBasket(in: draft.contents)
        case "stored": try printBasket(in: store)
        case "products": try printProducts()
        case "confirm": try confirm()
        case "cancel":
            try draft.cancel()
            print("canceled")
        case "other":
            guard let edit = try Edit(Array(words.dropFirst())) else {
                throw Refusal("Give a change: other set tea 2")
            }
            print("another user: \(try edit.make(in: store))")
        default: print(Self.help)
        }
    }

    private func step(if canStep: Bool, _ name: String, _ body: () -> Void) throws {
        guard canStep else { throw Refusal("Nothing to \(name).") }
        body()
        try printBasket(in: draft.contents)
    }
}

// MARK: Confirming

extension Session {
    private func confirm() throws {
        guard let result = try draft.confirm(asking: ask) else { return print("not stored") }
        print("stored: \(result.inserted) new, \(result.updated) changed, \(result.deleted) removed")
    }

    /// Asks the user about a conflict; nil if the answer is to leave it open.
    private func ask(_ conflict: MergeConflict) -> MergeResolution? {
        print("conflict: \(question(conflict))")
        while true {
            print("Type mine, theirs\(takesQuantity(conflict) ? ", a quantity" : "") or back.")
            switch nextLine() {
            case "mine": return .child
            case "theirs": return .parent
            case "back", nil: return nil
            case let answer?:
                if takesQuantity(conflict), let quantity = Int(answer), Edit.quantities.contains(quantity) {
                    return .value(quantity)
                }
            }
        }
    }

    private func takesQuantity(_ conflict: MergeConflict) -> Bool {
        conflict.kind == .changedOnBothSides(attribute: "quantity")
    }

    private func question(_ conflict: MergeConflict) -> String {
        // One of the lines is missing, or cannot be decoded.
        guard let mine = try? conflict.child(Line.self), let theirs = try? conflict.parent(Line.self) else {
            switch conflict.kind {
            case .deletedInParent: return "\(conflict.identifier) was changed here and removed in the store"
            case .deletedInChild: return "\(conflict.identifier) was removed here and changed in the store"
            default: return conflict.description
            }
        }
        switch conflict.kind {
        case .changedOnBothSides(attribute: "quantity"):
            return """
                the quantity of \(conflict.identifier) is \(mine.quantity) here and \(theirs.quantity) in the store
                """
        case .changedOnBothSides(attribute: "note"):
            return """
                the note of \(conflict.identifier) is \(text(mine.note)) here and \(text(theirs.note)) in the store
                """
        default: return conflict.description
        }
    }

    private func text(_ note: String?) -> String { note.map { "\"\($0)\"" } ?? "empty" }
}

// MARK: Printing

extension Session {
    private func printBasket(in store: any DataStore) throws {
        let lines = try store.read { accessor in
            try accessor.items(for: Line.all).map { line in
                (line: line, price: try accessor.item(id: line.product.id, of: Product.self)?.price ?? 0)
            }
        }
        if lines.isEmpty { return print("  empty") }
        for (line, price) in lines {
            let note = line.note.map { " (\($0))" } ?? ""
            print("  \(line.quantity) \(line.id)\(note): \(amount(line.quantity * price))")
        }
        print("  total: \(amount(lines.map { $0.line.quantity * $0.price }.reduce(0, +)))")
    }

    private func printChanges() throws {
        let changes = try draft.changes()
        if changes.isEmpty { print("  none") }
        for change in changes { print("  \(change)") }
    }

    private func printProducts() throws {
        for product in try store.read({ try $0.items(for: Product.all) }) {
            print("  \(product.id): \(amount(product.price))")
        }
    }

    private func amount(_ cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
