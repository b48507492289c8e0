/// Counts what arrives, and lets one task wait for a number of arrivals.
final class Arrivals: Sendable {
    private let state = SharedValue(
        (count: 0, awaited: Int.max, waiting: CheckedContinuation<Void, Never>?.none))

    var count: Int { state.value.count }

    func note() {
        var ready: CheckedContinuation<Void, Never>?
        state.change { state in
            state.count += 1
            if state.count >= state.awaited { (ready, state.waiting) = (state.waiting, nil) }
        }
        ready?.resume()
    }

    func wait(for awaited: Int) async {
        await withCheckedContinuation { continuation in
            var isHere = false
            state.change { state in
                isHere = state.count >= awaited
                if !isHere { (state.awaited, state.waiting) = (awaited, continuation) }
            }
            if isHere { continuation.resume() }
        }
    }
}
