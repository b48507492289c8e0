#if Macros

    extension String {
        /// The candidate that this string was probably meant to be, or nil if none is close.
        ///
        /// The library has a function like it; the compiler plugin shares no target with the library.
        func nearest(among candidates: some Sequence<String>) -> String? {
            let ranked = candidates.sorted().map { (name: $0, distance: editDistance(to: $0)) }
            guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
            return best.distance * 2 <= Swift.max(count, 2) ? best.name : nil
        }

        /// The number of letters to insert, delete or replace, ignoring case.
        private func editDistance(to other: String) -> Int {
            let target = Array(other.lowercased())
            var row = Array(0...target.count)
            for (line, letter) in lowercased().enumerated() {
                var diagonal = row[0]
                row[0] = line + 1
                for column in target.indices {
                    let exchanged = diagonal + (letter == target[column] ? 0 : 1)
                    diagonal = row[column + 1]
                    row[column + 1] = Swift.min(exchanged, diagonal + 1, row[column] + 1)
                }
            }
            return row[target.count]
        }
    }

#endif
