/// Lets so many bodies run at a time, the others wait in the order of their coming.
actor Lanes {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    nonisolated func run(_ body: @Sendable () async throws -> Void) async throws {
        await enter()
        do {
            try await body()
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// The lane goes to who has waited longest.
    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
