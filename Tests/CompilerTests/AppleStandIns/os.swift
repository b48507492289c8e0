// Apple's module for logs and signposts, as far as Larder uses it.
public struct OSSignposter: @unchecked Sendable {
    public var isEnabled: Bool { false }
    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
    ) {}
}

public struct OSSignpostID: Sendable {
    public static let exclusive = OSSignpostID()
}

public typealias SignpostMetadata = OSLogMessage

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: OSLogInterpolation) {}
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ argument: @autoclosure @escaping () -> String) {}
}
