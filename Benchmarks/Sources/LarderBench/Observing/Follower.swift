/// A store that follows requests by their names and can change the restaurants that they give.
protocol Follower: Sendable {
    /// The restaurants of a name as they are, and again after each change; the sequence never ends by itself.
    func follow(name: String, _ take: @escaping @Sendable ([Restaurant]) -> Void) -> Task<Void, Never>
    /// Sets the number of reviews, in one commit.
    func setReviews(_ reviews: Int64, of ids: [Int64]) throws
    func close() throws
}

/// Requests that are followed while commits change what they give.
struct FollowedWork {
    let data: Dataset
    let requests: Int
    let commits: Int
    /// True if each commit waits until the one before was shown, so that no two become one value.
    let isPaced: Bool

    /// Processor time in nanoseconds.
    struct Result {
        let alone: Double
        let followed: Double
        let values: Int
    }

    /// Each commit changes one restaurant that one of the requests gives; the last one changes all of them.
    func run(on follower: any Follower, round: Int) async throws -> Result {
        let followed = Array(data.restaurants.prefix(requests))
        let ids = followed.map(\.id)
        let start = Int64(round + 1) * 1_000_000
        var begin = Stopwatch.processorTime
        for number in 0..<commits {
            try follower.setReviews(start + Int64(number), of: [ids[number % ids.count]])
        }
        let alone = Double(Stopwatch.processorTime - begin)
        let screens = ids.map { Screen(showing: $0) }
        let tasks = zip(followed, screens).map { restaurant, screen in
            follower.follow(name: restaurant.name) { screen.show($0) }
        }
        for (number, screen) in screens.enumerated() {
            let reviews = (number..<commits).last { $0 % ids.count == number }
            await screen.wait(for: start + Int64(reviews ?? number))
        }
        begin = Stopwatch.processorTime
        for number in 0..<commits {
            let reviews = start + 500_000 + Int64(number)
            try follower.setReviews(reviews, of: [ids[number % ids.count]])
            if isPaced { await screens[number % ids.count].wait(for: reviews) }
        }
        try follower.setReviews(start + 900_000, of: ids)
        for screen in screens { await screen.wait(for: start + 900_000) }
        let time = Double(Stopwatch.processorTime - begin)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        return Result(alone: alone, followed: time, values: screens.reduce(0) { $0 + $1.valueCount })
    }
}

/// What one request has given last, and the one task that waits for a number of reviews in it.
private final class Screen: Sendable {
    private struct State {
        var reviews: Int64?
        var valueCount = 0
        var awaited: (reviews: Int64, continuation: CheckedContinuation<Void, Never>)?
    }

    private let id: Int64
    private let state = SharedValue(State())

    init(showing id: Int64) { self.id = id }

    var valueCount: Int { state.value.valueCount }

    func show(_ restaurants: [Restaurant]) {
        var ready: CheckedContinuation<Void, Never>?
        state.change { state in
            state.valueCount += 1
            state.reviews = restaurants.first { $0.id == id }?.reviews
            if let awaited = state.awaited, awaited.reviews == state.reviews {
                ready = awaited.continuation
                state.awaited = nil
            }
        }
        ready?.resume()
    }

    func wait(for reviews: Int64) async {
        await withCheckedContinuation { continuation in
            var isThere = false
            state.change { state in
                isThere = state.reviews == reviews
                if !isThere { state.awaited = (reviews, continuation) }
            }
            if isThere { continuation.resume() }
        }
    }
}
