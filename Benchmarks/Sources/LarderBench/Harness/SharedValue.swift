import Foundation

/// A variable that several threads may read and set.
// reason: `stored` is only touched with `lock` held.
final class SharedValue<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func change(_ change: (inout Value) -> Void) {
        lock.withLock { change(&stored) }
    }
}
