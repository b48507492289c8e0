import Foundation
import Testing

@testable import AdapterTestSupport

/// The example of a basket that is edited in a child store, driven by what a user types.
struct OrderBasketTests {
    @Test func `edits are undone and redone, and stored all at once`() throws {
        try expect(
            typing: """
                products
                add tea 2
                add bread
                note tea no milk
                add tea
                changes
                undo
                undo
                undo
                undo
                undo
                redo
                redo
                set bread 4
                redo
                stored
                confirm
                stored
                changes
                quit
                """,
            """
              bread: 4.20
              coffee: 12.90
              tea: 3.50
            added 2 tea
            added 1 bread
            tea: note "no milk"
            added 1 tea, now 3
              inserted Line tea
              inserted Line bread
              updated Line tea: note nil -> "no milk"
              updated Line tea: quantity 2 -> 3
              1 bread: 4.20
              2 tea (no milk): 7.00
              total: 11.20
              1 bread: 4.20
              2 tea: 7.00
              total: 11.20
              2 tea: 7.00
              total: 7.00
              empty
            Nothing to undo.
              2 tea: 7.00
              total: 7.00
              1 bread: 4.20
              2 tea: 7.00
              total: 11.20
            bread: quantity 4
            Nothing to redo.
              empty
            stored: 2 new, 0 changed, 0 removed
              4 bread: 16.80
              2 tea: 7.00
              total: 23.80
              none
            """)
    }

    @Test func `edits are thrown away`() throws {
        try expect(
            typing: """
                add tea 2
                confirm
                set tea 5
                add coffee
                show
                cancel
                show
                changes
                undo
                confirm
                stored
                """,
            """
            added 2 tea
            stored: 1 new, 0 changed, 0 removed
            tea: quantity 5
            added 1 coffee
              1 coffee: 12.90
              5 tea: 17.50
              total: 30.40
            canceled
              2 tea: 7.00
              total: 7.00
              none
            Nothing to undo.
            stored: 0 new, 0 changed, 0 removed
              2 tea: 7.00
              total: 7.00
            """)
    }

    @Test func `edits and those of another user combine, and the user settles what both have changed`() throws
    {
        try expect(
            typing: """
                add tea 2
                add bread 4
                confirm
                set tea 5
                note bread sliced
                other set tea 3
                other note tea green
                confirm
                both
                7
                stored
                remove bread
                set tea 1
                other set bread 9
                other remove tea
                confirm
                mine
                back
                show
                other remove bread
                confirm
                stored
                note tea hot
                add coffee
                other add coffee 3
                confirm
                4
                stored
                """,
            """
            added 2 tea
            added 4 bread
            stored: 2 new, 0 changed, 0 removed
            tea: quantity 5
            bread: note "sliced"
            another user: tea: quantity 3
            another user: tea: note "green"
            conflict: the quantity of tea is 5 here and 3 in the store
            Type mine, theirs, a quantity or back.
            Type mine, theirs, a quantity or back.
            stored: 0 new, 2 changed, 0 removed
              4 bread (sliced): 16.80
              7 tea (green): 24.50
              total: 41.30
            removed bread
            tea: quantity 1
            another user: bread: quantity 9
            another user: removed tea
            conflict: tea was changed here and removed in the store
            Type mine, theirs or back.
            conflict: bread was removed here and changed in the store
            Type mine, theirs or back.
            not stored
              1 tea (green): 3.50
              total: 3.50
            another user: removed bread
            stored: 1 new, 0 changed, 0 removed
              1 tea (green): 3.50
              total: 3.50
            tea: note "hot"
            added 1 coffee
            another user: added 3 coffee
            conflict: the quantity of coffee is 1 here and 3 in the store
            Type mine, theirs, a quantity or back.
            stored: 0 new, 2 changed, 0 removed
              4 coffee: 51.60
              1 tea (hot): 3.50
              total: 55.10
            """)
    }

    @Test func `commands that cannot be carried out change nothing`() throws {
        try expect(
            typing: """
                add milk
                set tea 2
                set tea two
                remove tea
                add
                other
                undo
                show
                changes
                help
                """,
            """
            No product is called milk.
            The basket holds no tea.
            Give a quantity of 1 to 100000: set tea 2
            The basket holds no tea.
            Name a product: add tea
            Give a change: other set tea 2
            Nothing to undo.
              empty
              none
            add PRODUCT [QUANTITY], set PRODUCT QUANTITY, note PRODUCT [TEXT], remove PRODUCT
            undo, redo, changes, show
            confirm (stores the edits), cancel (throws them away)
            stored (shows the stored basket), other COMMAND (changes it, as another user would)
            products, help, quit
            """)
    }

    @Test func `a quantity has a limit, also one that is added to and one that settles a conflict`() throws {
        try expect(
            typing: """
                add tea 9223372036854775807
                add tea 99999
                add tea 2
                add tea 1
                set tea 100001
                show
                confirm
                set tea 1
                other set tea 2
                confirm
                9223372036854775807
                100000
                stored
                """,
            """
            Give a quantity of 1 to 100000: set tea 2
            added 99999 tea
            The basket holds 99999 tea; the most is 100000.
            added 1 tea, now 100000
            Give a quantity of 1 to 100000: set tea 2
              100000 tea: 350000.00
              total: 350000.00
            stored: 1 new, 0 changed, 0 removed
            tea: quantity 1
            another user: tea: quantity 2
            conflict: the quantity of tea is 1 here and 2 in the store
            Type mine, theirs, a quantity or back.
            Type mine, theirs, a quantity or back.
            stored: 0 new, 1 changed, 0 removed
              100000 tea: 350000.00
              total: 350000.00
            """)
    }

    /// Runs the program with some input, and compares all of its output.
    private func expect(typing input: String, _ output: String) throws {
        let process = Process()
        let (typed, printed) = (Pipe(), Pipe())
        process.executableURL = BuiltProgram.url(of: "OrderBasket")
        process.standardInput = typed
        process.standardOutput = printed
        try process.run()
        // So few lines that the pipe has room for them before the first is read.
        try typed.fileHandleForWriting.write(contentsOf: Data((input + "\n").utf8))
        try typed.fileHandleForWriting.close()
        let data = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: data, as: UTF8.self) == output + "\n")
    }
}
