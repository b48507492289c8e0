import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderEngine

/// What was made for a shape is found again until it is the one that was not used for longest.
struct ShapeCacheTests {
    private final class Made {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// A plan of a shape of its own; the constant is not part of the shape.
    private func plan(_ shape: Int, constant: Int64 = 0) -> RequestPlan {
        RequestPlan(
            entity: 0, schema: Recipe.schema,
            predicate: .all((0...shape).map { _ in .compare(column: 0, .equal, .integer(constant)) }))
    }

    private func filled(_ count: Int, capacity: Int) -> ShapeCache<Made> {
        var cache = ShapeCache<Made>(capacity: capacity)
        for shape in 0..<count { cache.insert(Made(shape), for: plan(shape), use: 1) }
        return cache
    }

    /// The numbers that are found for some shapes.
    private func found(_ shapes: [Int], use: UInt32 = 1, in cache: inout ShapeCache<Made>) -> [Int?] {
        var found: [Int?] = []
        for shape in shapes { found.append(cache.value(for: plan(shape, constant: 7), use: use)?.number) }
        return found
    }

    @Test func `a value is found by the shape and the use of a plan`() {
        var cache = filled(3, capacity: 8)

        let known = found([0, 2, 2, 1], in: &cache)
        let unknown = found([3], in: &cache) + found([2], use: 2, in: &cache)

        #expect(known == [0, 2, 2, 1])
        #expect(unknown == [nil, nil])
    }

    @Test func `the value that was not used for longest goes first`() {
        var cache = filled(3, capacity: 3)
        _ = found([0], in: &cache)

        cache.insert(Made(3), for: plan(3), use: 1)

        let kept = found([1, 0, 2, 3], in: &cache)
        #expect(kept == [nil, 0, 2, 3])
        #expect(cache.count == 3)
        #expect(cache.insertedCount == 4)
    }

    @Test func `lists of some length and of all greater ones have one shape`() {
        var cache = ShapeCache<Made>(capacity: 8, longList: 4)

        for length in 2..<10 {
            let list = RowPredicate.isIn(
                column: 0, (0..<length).map { .integer(Int64($0)) }, negated: false)
            let plan = RequestPlan(
                entity: 0, schema: Recipe.schema, predicate: .any([.isNull(column: 4), list]))
            if cache.value(for: plan, use: 1) == nil { cache.insert(Made(length), for: plan, use: 1) }
        }

        #expect(cache.insertedCount == 3)
    }
}
