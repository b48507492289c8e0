import Foundation
import Testing

@testable import AdapterTestSupport

/// A kind of file that LMDB writes, with how it comes about.
struct VerificationShape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (VerificationEnvironment) throws -> Void

    init(_ description: String, _ make: @escaping @Sendable (VerificationEnvironment) throws -> Void) {
        testDescription = description
        self.make = make
    }

    static let all: [VerificationShape] = [
        .init("nothing at all") { _ in },
        .init("one key among the tables") { environment in
            try environment.write { try $0.put([1], [2], in: $0.table(nil)) }
        },
        .init("an empty table") { environment in
            try environment.write { _ = try $0.table("empty", integers: true) }
        },
        .init("one key in a table") { environment in
            try environment.write { try $0.put(7, [2], in: $0.table("one", integers: true)) }
        },
        .init("numbers in rising order", numbers),
        .init("numbers in any order", shuffledNumbers),
        .init("long keys in a deep tree", longKeys),
        .init("large values", largeValues),
        .init("large values that became small", shrunkValues),
        .init("many deletions", deletions),
        .init("a large deletion at once", largeDeletion),
        .init("several tables", severalTables),
        .init("many small transactions", manyCommits),
        .init("tables emptied and removed", droppedTables),
        .init("pages freed before they were written", freedAtEnd),
        .init("nested transactions", nestedTransactions),
    ]
}

// MARK: How they come about

extension VerificationShape {
    @Sendable private static func numbers(_ environment: VerificationEnvironment) throws {
        try environment.write { transaction in
            let table = try transaction.table("numbers", integers: true)
            for key in 0..<UInt64(4_000) {
                try transaction.put(key, [UInt8](repeating: 1, count: 40), in: table)
            }
        }
    }

    @Sendable private static func shuffledNumbers(_ environment: VerificationEnvironment) throws {
        var random = Seed(1)
        for _ in 0..<20 {
            try environment.write { transaction in
                let table = try transaction.table("numbers", integers: true)
                for _ in 0..<300 {
                    try transaction.put(
                        random.next(), random.bytes(Int(random.next() % 200)), in: table)
                }
            }
        }
    }

    @Sendable private static func longKeys(_ environment: VerificationEnvironment) throws {
        var random = Seed(2)
        try environment.write { transaction in
            let table = try transaction.table("bytes")
            for number in 0..<1200 {
                let length = number % 3 == 0 ? 1 + number % 511 : 500 + number % 12
                try transaction.put(random.bytes(length), random.bytes(number % 30), in: table)
            }
        }
    }

    @Sendable private static func largeValues(_ environment: VerificationEnvironment) throws {
        try environment.write { transaction in
            let table = try transaction.table("large", integers: true)
            for (key, size) in [2000, 2015, 2020, 2030, 4079, 4080, 4081, 8176, 8177, 300_000].enumerated() {
                try transaction.put(UInt64(key), [UInt8](repeating: 3, count: size), in: table)
            }
        }
    }

    @Sendable private static func shrunkValues(_ environment: VerificationEnvironment) throws {
        try environment.write { transaction in
            let table = try transaction.table("large", integers: true)
            for key in 0..<UInt64(10) {
                try transaction.put(key, [UInt8](repeating: 3, count: 50_000), in: table)
            }
            // In the same transaction LMDB keeps the pages, however small the new value is.
            for key in 0..<UInt64(10) {
                try transaction.put(key, [UInt8](repeating: 4, count: Int(key) * 100), in: table)
            }
        }
    }

    @Sendable private static func deletions(_ environment: VerificationEnvironment) throws {
        try numbers(environment)
        for round in 0..<UInt64(20) {
            try environment.write { transaction in
                let table = try transaction.table("numbers", integers: true)
                for key in stride(from: round, to: 4_000, by: 21) { try transaction.delete(key, in: table) }
            }
        }
    }

    /// Frees so many pages in one transaction that the free list's entry is a large value itself.
    @Sendable private static func largeDeletion(_ environment: VerificationEnvironment) throws {
        try environment.write { transaction in
            let table = try transaction.table("large", integers: true)
            for key in 0..<UInt64(700) {
                try transaction.put(key, [UInt8](repeating: 3, count: 3000), in: table)
            }
        }
        try environment.write { transaction in
            let table = try transaction.table("large", integers: true)
            for key in 0..<UInt64(650) { try transaction.delete(key, in: table) }
        }
        for key in 0..<UInt64(3) {
            try environment.write { try $0.put(key, [1], in: $0.table("large", integers: true)) }
        }
    }

    @Sendable static func severalTables(_ environment: VerificationEnvironment) throws {
        var random = Seed(3)
        for round in 0..<6 {
            try environment.write { transaction in
                let numbers = try transaction.table("numbers", integers: true)
                let bytes = try transaction.table("bytes")
                for step in 0..<120 {
                    let size = step % 40 == 0 ? 5000 : step % 90
                    try transaction.put(random.next() % 500, random.bytes(size), in: numbers)
                    try transaction.put(random.bytes(1 + step), random.bytes(size), in: bytes)
                    try transaction.delete(random.next() % 500, in: numbers)
                }
                if round % 2 == 0 { _ = try transaction.table("empty \(round)") }
            }
        }
    }

    @Sendable private static func manyCommits(_ environment: VerificationEnvironment) throws {
        for round in 0..<100 {
            try environment.write { transaction in
                let name = "\(round % 25)-" + String(repeating: "name", count: round % 25 * 5)
                let table = try transaction.table(name)
                try transaction.put([UInt8](repeating: 5, count: 1 + round), [1, 2, 3], in: table)
            }
        }
    }

    @Sendable private static func droppedTables(_ environment: VerificationEnvironment) throws {
        try severalTables(environment)
        try environment.write { transaction in
            try transaction.drop(transaction.table("numbers", integers: true), removing: false)
            try transaction.drop(transaction.table("bytes"), removing: true)
        }
    }

    /// Leaves a file that is shorter than its last page number says.
    @Sendable private static func freedAtEnd(_ environment: VerificationEnvironment) throws {
        try severalTables(environment)
        try environment.write { transaction in
            let numbers = try transaction.table("numbers", integers: true)
            try transaction.put(1_000_000, [UInt8](repeating: 1, count: 100_000), in: numbers)
            try transaction.put(1_000_001, [UInt8](repeating: 1, count: 200_000), in: numbers)
            try transaction.delete(1_000_001, in: numbers)
        }
    }

    @Sendable private static func nestedTransactions(_ environment: VerificationEnvironment) throws {
        try severalTables(environment)
        var random = Seed(4)
        for _ in 0..<5 {
            try environment.write { transaction in
                let numbers = try transaction.table("numbers", integers: true)
                for round in 0..<20 {
                    let nested = try transaction.nested()
                    for _ in 0..<20 {
                        let size = Int(random.next() % 6000)
                        try nested.put(random.next() % 700, random.bytes(size), in: numbers)
                        try nested.delete(random.next() % 700, in: numbers)
                    }
                    if round % 3 == 0 { nested.abort() } else { try nested.commit() }
                }
            }
        }
    }
}
