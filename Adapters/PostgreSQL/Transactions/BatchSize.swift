#if PostgreSQL
    import LarderKernel

    /// The number of rows that are asked for at once: libpq holds all of an answer in memory.
    ///
    /// Rows of numbers are small. The size of other rows is known from the ones before them. While nothing is found, more are
    /// asked for each time: those who look for new items find none. After large rows, too, the number grows step by step, as
    /// a few small ones say little about the next.
    struct BatchSize {
        private static let maximumRows = 1000
        private static let maximumBytes = 4 << 20
        private static let maximumUnknownRows = 256

        /// The number of rows of the next answer.
        private(set) var rows: Int
        private let areSmall: Bool
        private var isKnown = false

        init(_ storages: [AttributeType.Storage]) {
            areSmall = storages.allSatisfy { storage in
                switch storage {
                case .integer, .unsigned, .real, .decimal: true
                case .text, .json, .blob: false
                }
            }
            rows = areSmall ? Self.maximumRows : 16
        }

        /// Notes an answer, by which the next one is measured.
        mutating func note(rows count: Int, bytes: Int) {
            if areSmall { return }
            if count == 0 {
                if !isKnown { rows = min(Self.maximumUnknownRows, rows * 4) }
                return
            }
            let fitting = max(1, min(Self.maximumRows, Self.maximumBytes / max(1, bytes / count)))
            rows = isKnown ? min(fitting, rows * 4) : fitting
            isKnown = true
        }

        mutating func note(_ answer: ServerAnswer) { note(rows: answer.rowCount, bytes: answer.byteCount) }
    }
#endif
