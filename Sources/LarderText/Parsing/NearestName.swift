extension String {
    /// The name that this one was probably meant to be; nil if none is close.
    package func nearest(among names: [String]) -> String? {
        guard utf8.count <= 100 else { return nil }
        let tolerance = Swift.max(1, count / 2)
        let distances = names.map { (name: $0, distance: distance(to: $0)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= tolerance
        else { return nil }
        return best.name
    }

    /// The number of characters to add, remove or replace, ignoring case.
    private func distance(to other: String) -> Int {
        let other = Array(other.lowercased())
        var distances = Array(0...other.count)
        for (row, character) in lowercased().enumerated() {
            var above = distances
            swap(&above, &distances)
            distances[0] = row + 1
            for column in other.indices {
                let replaced = above[column] + (other[column] == character ? 0 : 1)
                distances[column + 1] = Swift.min(replaced, above[column + 1] + 1, distances[column] + 1)
            }
        }
        return distances[other.count]
    }
}
