import Larder
import Testing

/// The forms of a chain, and what it refuses.
struct SchemaChainTests {
    @Test(arguments: [nil, [], [:], SchemaChain(), SchemaChain {}] as [SchemaChain])
    func `nothing, no versions and no ways are the empty chain`(chain: SchemaChain) {
        #expect(chain.isEmpty)
        #expect(chain.isValid)
        #expect(chain == SchemaChain())
        #expect(chain.hashValue == SchemaChain().hashValue)
        #expect(!chain.contains("1"))
        #expect(chain.next(from: "1") == nil)
        #expect(chain.description == "")
    }

    @Test(arguments: ["v1", ["v1"], SchemaChain { "v1" }] as [SchemaChain])
    func `a single version is named and leads nowhere`(chain: SchemaChain) {
        #expect(chain.isEmpty)
        #expect(chain == ["v1"])
        #expect(chain != SchemaChain())
        #expect(chain.contains("v1"))
        #expect(!chain.contains("v2"))
        #expect(chain.next(from: "v1") == nil)
        #expect(chain.roots == ["v1"] && chain.leaves == ["v1"])
    }

    private static let line: SchemaChain = ["1", "2", "3", "4"]

    @Test(
        arguments: [
            line, ["1": "2", "2": "3", "3": "4"], SchemaChain(["3": "4", "1": "2", "2": "3"]),
            SchemaChain(["1", "2", "3", "4"]), SchemaChain(ways: [("3", "4"), ("2", "3"), ("1", "2")]),
            SchemaChain {
                ["1", "2"]
                ["2", "3", "4"]
            },
        ])
    func `a list equals the same ways in any form`(chain: SchemaChain) {
        #expect(chain == Self.line)
        #expect(chain.hashValue == Self.line.hashValue)
        #expect(!chain.isEmpty && chain.isValid)
        #expect(["1", "2", "3", "4"].map { chain.next(from: $0) } == ["2", "3", "4", nil])
        #expect(chain.next(from: "5") == nil)
        #expect(chain.contains("1") && chain.contains("4") && !chain.contains("5"))
        #expect(chain.roots == ["1"] && chain.leaves == ["4"])
        #expect(chain.description == "1 → 2 → 3 → 4")
    }

    @Test func `a tree leads from each version to the leaf`() {
        let tree: SchemaChain = ["1": "3", "2": "4", "3": "4"]

        #expect(tree.way(from: "1", to: "4") == ["1", "3", "4"])
        #expect(tree.way(from: "2", to: "4") == ["2", "4"])
        #expect(tree.way(from: "3", to: "4") == ["3", "4"])
        #expect(tree.way(from: "4", to: "4") == ["4"])
        #expect(tree.way(from: "1", to: "2") == nil)
        #expect(tree.way(from: "4", to: "1") == nil)
        #expect(tree.roots == ["1", "2"] && tree.leaves == ["4"])
        #expect(tree.description == "1 → 3 → 4, 2 → 4")
        #expect(
            tree
                == SchemaChain {
                    ["1", "3", "4"]
                    ["2", "4"]
                })
    }

    @Test func `chains of a builder may share ways, and depend on conditions`() {
        let isOld = true
        let chain = SchemaChain {
            ["1", "3", "4"]
            if isOld { ["2", "3", "4"] }
            for name in ["a", "b"] { SchemaChain([name, "1"]) }
        }

        #expect(chain.description == "2 → 3 → 4, a → 1 → 3 → 4, b → 1 → 3 → 4")
    }

    @Test(
        arguments: [
            (["1", "2", "1"], "1 stands twice in the chain 1 → 2 → 1."),
            (["1", "1"], "1 stands twice in the chain 1 → 1."),
            (["1": "2", "1": "3"], "Two ways lead on from 1: 1 → 2 and 1 → 3."),
            (["1": "2", "1": "2"], "Two ways lead on from 1: 1 → 2 and 1 → 2."),
            (["1": "2", "2": "3", "3": "1"], "The versions form a loop: 3 → 1 → 2 → 3."),
            (["1": "1"], "The versions form a loop: 1 → 1."),
            (
                SchemaChain {
                    ["1", "2"]
                    ["2", "1"]
                }, "The versions form a loop: 2 → 1 → 2."
            ),
            (
                SchemaChain {
                    ["1", "2"]
                    ["1", "3"]
                }, "Two ways lead on from 1: 1 → 2 and 1 → 3."
            ),
            (SchemaChain { ["1", "2", "1"] }, "1 stands twice in the chain 1 → 2 → 1."),
        ] as [(SchemaChain, String)])
    func `a mistake is drawn`(chain: SchemaChain, problem: String) {
        #expect(!chain.isValid)
        #expect(chain.problem == problem)
        #expect(chain.description == problem)
        #expect(chain.contains("1"))
    }

    @Test func `versions are compared by their bytes`() {
        let chain: SchemaChain = ["caf\u{E9}", "cafe\u{301}"]

        #expect(chain.isValid)
        #expect(chain.next(from: "caf\u{E9}")?.utf8.count == 6)
        #expect(chain != ["cafe\u{301}", "caf\u{E9}"])
    }

    @Test func `a broken chain is not followed for ever`() {
        let loop: SchemaChain = ["1": "2", "2": "3", "3": "1"]

        #expect(loop.way(from: "1", to: "4") == nil)
    }
}
