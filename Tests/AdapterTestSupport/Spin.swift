/// Something to do that the compiler does not see through.
enum Spin {
    @inline(never) static func next(_ number: Int) -> Int { number + 1 }
}
