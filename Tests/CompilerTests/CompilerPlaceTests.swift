#if os(Linux) && Macros
    import Testing

    struct CompilerPlaceTests {
        /// The other tests here are left out where they are not, without a word.
        @Test func `the modules are where the tests look for them`() {
            #expect(Compiler.isThere)
        }
    }
#endif
