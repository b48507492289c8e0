import ArgumentParser
import Foundation
import Larder
import LarderTransfer

/// The store a command reads, and an item type in it.
struct TypeArguments: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(help: "The item type, by its stored name.", completion: .custom(TypeCompletion.names))
    var type: String
}

/// A selection of the items of a type.
struct FilterOption: ParsableArguments {
    @Option(
        name: [.long, .customShort("w")],
        help: ArgumentHelp("Only items that pass a filter: 'rating > 4 AND name CONTAINS[c] \"cake\"'."))
    var `where`: String?
}

/// A selection of the items of a type, with an order.
struct RequestOptions: ParsableArguments {
    @OptionGroup var filter: FilterOption

    @Option(name: .shortAndLong, help: "The order, such as 'rating DESC, name'; by identifier if omitted.")
    var sort: String?

    @Option(name: .long, help: "The number of items to skip at the beginning.")
    var offset = 0

    @Option(name: .shortAndLong, help: "The maximum number of items.")
    var limit: Int?

    func request(for type: String) -> UntypedRequest {
        UntypedRequest(type, filter: filter.where, sort: sort, offset: offset, limit: limit)
    }
}

/// Names that a shell offers for an item type.
enum TypeCompletion {
    /// The types in the first store that stands before it on the line.
    ///
    /// If anything fails, offers nothing, as a completion cannot show an error.
    static let names: @Sendable ([String], Int, String) -> [String] = { words, _, _ in
        for word in words.dropFirst() {
            let names = try? UntypedStore.reading(word, isQuick: true) { _, reader in
                reader.entities.filter { !$0.isLink }.map(\.name)
            }
            if let names { return names }
        }
        return []
    }
}
