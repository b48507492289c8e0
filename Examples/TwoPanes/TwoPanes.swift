// A café on a screen with two panes: the open orders by table, and what each drink has earned. Both follow the store,
// into which a writer puts an order, serves one or changes one again and again.
//
//     swift run TwoPanes                // redraws the screen until it is stopped by Control-C
//     swift run TwoPanes --frames 5     // prints the first five states, one below the other
//
// Nothing here notifies a pane of what the writer has done. The panes are observable objects, as in a SwiftUI
// view.

import Foundation
import Larder
import LarderMemory

@main
enum TwoPanes {
    static func main() async {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
            fail("Observation needs macOS 14.")
        }
        do {
            let screen = try Screen(arguments: Array(CommandLine.arguments.dropFirst()))
            let store = MemoryDataStore(storing: [Order.self])
            try store.setup()
            try await store.writeAsync { try $0.insert(contentsOf: firstOrders) }
            try await screen.show(Panes(over: store), while: Writer(to: store))
            try store.tearDown()
        } catch {
            fail(error)
        }
    }
}
