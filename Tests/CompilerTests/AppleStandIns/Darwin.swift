// Apple's module over its C library, as far as Larder uses it: Glibc, and what differs from it.
@_exported public import CDarwin
@_exported public import Glibc

extension stat {
    public var st_mtimespec: timespec { st_mtim }
    public var st_ctimespec: timespec { st_ctim }
}

public struct clockid_t: RawRepresentable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public var CLOCK_MONOTONIC: clockid_t { clockid_t(rawValue: 6) }
public var CLOCK_UPTIME_RAW_APPROX: clockid_t { clockid_t(rawValue: 9) }

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { 0 }

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

/// Only macOS declares it for apps.
@available(*, unavailable)
public func getentropy(_ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int32 { 0 }
