// The C library, under one name on every platform.
//
// A Swift module and not a C module with the same headers: Swift's own layer over the C library, which has
// `errno`, `open` with a mode, `fcntl` with an argument and typed constants such as `S_IFMT`, comes only with
// its module.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif
