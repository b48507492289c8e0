import LarderKernel

/// The longest increasing subsequence of some different numbers.
enum LongestRun {
    /// The indices of the numbers that are part of it, ascending.
    ///
    /// *Cost:* one pass if the numbers ascend already, else O(n log n) by patience sorting.
    static func indices(in numbers: [Int]) -> [Int] {
        if isAscending(numbers) { return Array(numbers.indices) }
        // For each length, the index of the smallest number that ends a run of it.
        var ends: [Int] = []
        // The index before each one in the best run that it ends.
        var previous = [Int](repeating: -1, count: numbers.count)
        for index in numbers.indices {
            let number = numbers[index]
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Int] = []
        var next = ends.last ?? -1
        while next >= 0 {
            run.append(next)
            next = previous[next]
        }
        run.reverse()
        return run
    }

    private static func isAscending(_ numbers: [Int]) -> Bool {
        for index in numbers.indices.dropFirst() where numbers[index] < numbers[index - 1] { return false }
        return true
    }
}
