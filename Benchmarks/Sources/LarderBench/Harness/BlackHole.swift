/// Keeps a result alive, so that the optimiser cannot drop the work that made it.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
