import Testing

@testable import LarderCommandLine

struct InterruptionTests {
    @Test func `it is asked once and stays so`() {
        let interruption = Interruption()
        #expect(!interruption.isAsked)

        interruption.ask()
        interruption.ask()

        #expect(interruption.isAsked)
    }
}
