import Larder
import LarderConformance
import LarderTesting
import Testing

/// One decision of a merge's policy may make many others necessary.
struct ChainCallTests {
    @Test(arguments: ValueChain.allCases, CountedEngine.all)
    func `a merge settles a chain of values at once`(_ chain: ValueChain, _ engine: CountedEngine) throws {
        let writes = try ([50, 200] as [Int64]).map { count in
            try withTemporaryStore(engine.engine, storing: ValueChain.types) { store in
                let child = try chain.make(count, in: store)
                return try store.record { try store.merge(child, policy: .parentWins) }.count(of: .apply)
            }
        }

        // One attempt finds the first conflict. The next one has nothing to write.
        #expect(writes == [1, 1])
    }
}
