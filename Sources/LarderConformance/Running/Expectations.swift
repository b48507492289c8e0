import Larder

/// Fails unless both are equal.
func expect<Value: Equatable>(
    _ actual: @autoclosure () throws -> Value, equals expected: Value, _ what: String = "",
    file: StaticString = #fileID, line: Int = #line
) throws {
    let actual = try actual()
    if actual != expected {
        throw ConformanceFailure(
            expected: what.isEmpty ? "\(expected)" : "\(what): \(expected)", actual: "\(actual)",
            at: SourcePlace(file: file, line: line))
    }
}

/// Fails unless the condition holds.
func expect(
    _ condition: @autoclosure () throws -> Bool, _ what: String, file: StaticString = #fileID,
    line: Int = #line
) throws {
    if try !condition() {
        throw ConformanceFailure(
            expected: what, actual: "the contrary", at: SourcePlace(file: file, line: line))
    }
}

/// Fails unless the texts have the same UTF-8 bytes; Swift's own `==` is too lenient.
func expect(
    text actual: String?, equals expected: String?, file: StaticString = #fileID, line: Int = #line
) throws {
    try expect(actual.map { Array($0.utf8) }, equals: expected.map { Array($0.utf8) }, file: file, line: line)
}

/// Fails if the value is nil; otherwise returns it.
func require<Value>(
    _ value: @autoclosure () throws -> Value?, _ what: String = "a value", file: StaticString = #fileID,
    line: Int = #line
) throws -> Value {
    guard let value = try value() else {
        throw ConformanceFailure(expected: what, actual: "nil", at: SourcePlace(file: file, line: line))
    }
    return value
}

/// Fails unless the body throws a ``DataStoreError`` with the code; returns it.
@discardableResult
func expectError(
    _ code: DataStoreError.Code, file: StaticString = #fileID, line: Int = #line, _ body: () throws -> Void
) throws -> DataStoreError {
    do {
        try body()
    } catch {
        return try checked(error, has: code, SourcePlace(file: file, line: line))
    }
    throw ConformanceFailure(
        expected: ".\(code.rawValue)", actual: "no error", at: SourcePlace(file: file, line: line))
}

/// Fails unless the body throws a ``DataStoreError`` with the code; returns it.
@discardableResult
func expectError(
    _ code: DataStoreError.Code, file: StaticString = #fileID, line: Int = #line,
    async body: () async throws -> Void
) async throws -> DataStoreError {
    do {
        try await body()
    } catch {
        return try checked(error, has: code, SourcePlace(file: file, line: line))
    }
    throw ConformanceFailure(
        expected: ".\(code.rawValue)", actual: "no error", at: SourcePlace(file: file, line: line))
}

/// Fails unless a write block with this body throws a ``DataStoreError`` with the code; returns it.
@discardableResult
func expectError(
    _ code: DataStoreError.Code, writingTo store: any DataStore, file: StaticString = #fileID,
    line: Int = #line, _ body: (DataStoreReadWriteAccessor) throws -> Void
) throws -> DataStoreError {
    try expectError(code, file: file, line: line) { try store.writeSync(body) }
}

private func checked(
    _ error: any Error, has code: DataStoreError.Code, _ place: SourcePlace
) throws -> DataStoreError {
    if error is ConformanceFailure { throw error }
    guard let error = error as? DataStoreError, error.code == code else {
        throw ConformanceFailure(expected: ".\(code.rawValue)", actual: "\(error)", at: place)
    }
    return error
}

/// The error of a case's own block, to check that it passes through.
struct OwnError: Error, Equatable {
    var number = 1
}

/// Fails unless the body throws ``OwnError`` unchanged.
func expectOwnError(
    _ number: Int = 1, file: StaticString = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
    do {
        try body()
    } catch let error as OwnError where error.number == number {
        return
    } catch  where error is ConformanceFailure {
        throw error
    } catch {
        throw ConformanceFailure(
            expected: "OwnError(\(number))", actual: "\(error)", at: SourcePlace(file: file, line: line))
    }
    throw ConformanceFailure(
        expected: "OwnError(\(number))", actual: "no error", at: SourcePlace(file: file, line: line))
}
