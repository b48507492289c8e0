import Larder

/// Diagnostics of look-ups, requests, writes, commits and errors, and of blocks that hang.
enum DiagnosticCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Each look-up, request, write and commit is reported", proves: 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            _ = heard.takeLines()

            try store.writeSync { accessor in
                _ = try accessor.item(id: Restaurant(1).id, of: Restaurant.self)
                try accessor.insert(Restaurant(1, seats: 40))
                try accessor.insert(contentsOf: [Restaurant(2), Restaurant(3)])
                _ = try accessor.items(for: Restaurant.where(\.seats > 7))
            }
            try store.read {
                _ = try $0.items(ids: [Restaurant(1).id, Restaurant(9).id], of: Restaurant.self)
            }

            try expect(
                heard.takeLines(),
                equals: [
                    "write look-up Restaurant 0 of 1", "write insert Restaurant 1",
                    "write insert Restaurant 2", "write request 1", "write commit 3",
                    "read look-up Restaurant 1 of 2",
                ])
        }
        ConformanceCase("Steps, small changes and a closing are reported", proves: 12, 23) { world in
            typealias One = HistoryCases.One
            let store = try HistoryCases.open(world, HistoryCases.history(upTo: 1))
            // A child has the schema of its parent, which reports the changes.
            if store.coordinator.parent != nil { return }
            try store.writeSync { try $0.insert(contentsOf: [One(1, .integer(90)), One(2, .integer(30))]) }
            try world.closeAll()
            let (heard, history) = (HeardDiagnostics(), HistoryCases.history())

            let today = try world.makeStore(
                storing: try history.current().schema().types, history: history,
                changing: { $0.diagnostics = [heard.note] })
            try today.setup()
            try today.tearDown()
            let place = try world.sibling()
            try place.open(One.self).tearDown()
            let changed = try place.open(
                HistoryCases.Two.self, changing: { $0.diagnostics = [heard.note] })
            try changed.tearDown()

            try expect(
                heard.takeLines(),
                equals: [
                    "step 1 → 2: 0", "step 2 → 3: 2", "upgrade 1 → 2, 2 → 3", "closed", "upgrade ", "closed",
                ])
        }
        ConformanceCase("A roll-back is reported with its error, and then the call", proves: 3, 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            _ = heard.takeLines()

            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.insert(Restaurant(1))
                    throw OwnError()
                }
            }
            try store.writeSync { accessor in
                try? accessor.savepoint {
                    try accessor.insert(Restaurant(2))
                    throw OwnError()
                }
            }

            try expect(
                heard.takeLines().filter { !$0.contains("look-up") },
                equals: [
                    "write insert Restaurant 1", "write roll-back OwnError", "writeSync() failed",
                    "write insert Restaurant 1",
                ])
        }
        ConformanceCase("A merge is reported with its counts", proves: 19, 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            let draft = try store.makeChildDataStore()
            try draft.writeSync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }
            _ = heard.takeLines()

            try store.merge(draft)
            try expect(
                heard.takeLines().filter { !$0.contains("request") && !$0.contains("look-up") },
                equals: ["write insert Restaurant 2", "write commit 2", "merge 2 0 0"])

            try expectError(.foreignChild) { try store.merge(store) }
            try expect(heard.takeLines(), equals: ["merge() failed"])
            try draft.discard()
        }
        ConformanceCase("A preview and a refused merge report a roll-back", proves: 19, 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            try store.writeSync { _ = try $0.insert(Restaurant(1, seats: 5)) }
            let draft = try store.makeChildDataStore()
            try draft.writeSync { try $0.insert(contentsOf: [Restaurant(2), Restaurant(3)]) }
            _ = heard.takeLines()

            _ = try store.mergePreview(draft)
            try expect(
                heard.takeLines().filter { !$0.contains("request") && !$0.contains("look-up") },
                equals: ["write insert Restaurant 2", "write roll-back MergePreview"])

            try draft.writeSync { try $0.mutableRestaurant(1).seats = 6 }
            try store.writeSync { try $0.mutableRestaurant(1).seats = 7 }
            _ = heard.takeLines()
            try expectError(.mergeConflict) { try store.merge(draft) }
            try expect(
                heard.takeLines().filter { !$0.contains("request") && !$0.contains("look-up") },
                equals: ["write insert Restaurant 2", "write roll-back DataStoreError", "merge() failed"])
            try draft.discard()
        }
        ConformanceCase("Every error of a call is reported once, with the call", proves: 2, 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            _ = heard.takeLines()
            let completed = Outcome<Bool>()

            try expectOwnError { try store.read { _ in try store.read { _ in throw OwnError() } } }
            try store.read { _ in _ = try? store.flush() }
            store.writeAsync(
                { _ in throw OwnError() }, completion: { (_: Result<Void, any Error>) in completed.set(true) }
            )
            _ = try completed.require()
            do {
                try await store.writeAsync { accessor in
                    _ = try accessor.countItems(for: Restaurant.all)
                    throw OwnError()
                }
            } catch is OwnError {}
            store.writeAsync(
                { (_: DataStoreReadWriteAccessor) -> Void in throw OwnError() }, completion: nil)
            try await store.flush()
            try store.tearDown()
            try expectError(.closed) { try store.read { _ in } }
            try expectError(.unknownItemType) { _ = try store.link(to: Dish(1)) }

            try expect(
                heard.takeLines().filter { $0.contains("failed") },
                equals: [
                    "read() failed", "writeAsync() failed", "writeAsync() failed", "writeAsync() failed",
                    "read() failed", "link(to:) failed",
                ])
        }
        ConformanceCase("An error through a child and its parent is reported once", proves: 23) { world in
            let heard = HeardDiagnostics()
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            let (draft, other) = (try store.makeChildDataStore(), try store.makeChildDataStore())
            _ = heard.takeLines()

            try expectOwnError { try store.read { _ in try draft.writeSync { _ in throw OwnError() } } }
            try expectOwnError { try draft.read { _ in try other.read { _ in throw OwnError() } } }
            try store.read { _ in _ = try? draft.read { _ in throw OwnError() } }
            try draft.read { _ in _ = try? store.flush() }

            try expect(
                heard.takeLines(), equals: ["write roll-back OwnError", "read() failed", "read() failed"])
            try draft.discard()
            try other.discard()
        }
        ConformanceCase(
            "An error of stagedChanges is reported once, and none of hasChanges", proves: 18, 23
        ) { world in
            let (heard, handled) = (HeardDiagnostics(), Outcome<DataStoreError.Code?>())
            let store = try world.open(Restaurant.self, changing: { $0.diagnostics = [heard.note] })
            let draft = try store.makeChildDataStore()
            draft.errorHandler = { handled.set(($0 as? DataStoreError)?.code) }
            try draft.discard()
            _ = heard.takeLines()

            try expect(!draft.hasChanges, "nothing staged in a discarded store")
            try expectError(.discarded) { _ = try draft.stagedChanges }

            try expect(
                heard.takeLines().filter { $0.contains("failed") }, equals: ["stagedChanges failed"])
            try expect(try handled.require(), equals: .discarded)
        }
        ConformanceCase("A handler on the writer's thread is refused to wait for that thread", proves: 2, 23)
        {
            world in
            let (known, outcome) = (Locked<(any DataStore)?>(nil), Outcome<DataStoreError.Code?>())
            let store = try world.open(
                Restaurant.self,
                changing: { options in
                    // The second write has the turn while the first is answered.
                    options.batchLimits.blocks = 1
                    options.diagnostics = [
                        { diagnostic in
                            guard case .failed(let failure) = diagnostic.event, !failure.hasCaller,
                                let store = known.withLock({ $0 })
                            else { return }
                            do {
                                try store.writeSync { _ = try $0.insert(Restaurant(2)) }
                                outcome.set(nil)
                            } catch {
                                outcome.set((error as? DataStoreError)?.code)
                            }
                        }
                    ]
                })
            known.withLock { $0 = store }
            defer { known.withLock { $0 = nil } }

            try store.writeSync { _ in
                store.writeAsync { _ in throw OwnError() }
                store.writeAsync { _ = try $0.insert(Restaurant(1)) }
            }

            try expect(try outcome.require(), equals: .wouldDeadlock)
            try store.flush()
            try expect(try store.read { try $0.ids(for: Restaurant.all) }, equals: [Restaurant(1).id])
        }
        ConformanceCase("A handler whose own calls fail is not called for them", proves: 23) { world in
            let known = Locked<(any DataStore)?>(nil)
            let failures = Locked<[Int]>([])
            let last = Outcome<Bool>()
            let store = try world.open(
                Restaurant.self,
                changing: { options in
                    options.diagnostics = [
                        { diagnostic in
                            guard case .failed(let failure) = diagnostic.event,
                                let number = (failure.error as? OwnError)?.number
                            else { return }
                            failures.withLock { $0.append(number) }
                            _ = try? known.withLock { $0 }?.read { _ in throw OwnError(number: number + 1) }
                        }
                    ]
                })
            known.withLock { $0 = store }
            defer { known.withLock { $0 = nil } }
            store.errorHandler = { if ($0 as? OwnError)?.number == 12 { last.set(true) } }

            for number in [1, 11] {
                try expectOwnError(number) { try store.read { _ in throw OwnError(number: number) } }
            }

            try expect(failures.withLock { $0 }, equals: [1, 11])
            // The error handler, which is called on another thread, gets it.
            _ = try last.require()
        }
        ConformanceCase("An error handler whose own calls fail is not called for them", proves: 23) { world in
            let store = try world.open(Restaurant.self)
            let errors = Locked<[Int]>([])
            let (isHandled, last) = (Outcome<Bool>(), Outcome<Bool>())
            defer { store.errorHandler = nil }
            store.errorHandler = { error in
                let number = (error as? OwnError)?.number ?? 0
                errors.withLock { $0.append(number) }
                if number == 20 { return last.set(true) }
                _ = try? store.read { _ in throw OwnError(number: 11) }
                try? store.writeSync { _ in throw OwnError(number: 12) }
                store.writeAsync { _ in throw OwnError(number: 13) }
                store.writeAsync(
                    { _ in throw OwnError(number: 14) },
                    completion: { (_: Result<Void, any Error>) in
                        try? store.writeSync { _ in throw OwnError(number: 15) }
                        isHandled.set(true)
                    })
            }

            try expectOwnError(10) { try store.read { _ in throw OwnError(number: 10) } }
            _ = try isHandled.require()
            try expectOwnError(20) { try store.read { _ in throw OwnError(number: 20) } }
            _ = try last.require()

            try expect(errors.withLock { $0 }, equals: [10, 20])
        }
        ConformanceCase("Diagnostics show values only if they are asked for", proves: 23) { world in
            for showsValues in [false, true] {
                let heard = HeardDiagnostics()
                try world.closeAll()
                let store = try world.open(
                    Keyed<Int64>.self,
                    changing: { options in
                        options.logsValues = showsValues
                        options.diagnostics = [heard.note]
                    })
                try store.read { accessor in
                    _ = try accessor.item(id: 4711, of: Keyed<Int64>.self)
                    _ = try accessor.items(for: Keyed<Int64>.where(\.rank > 4711))
                }
                try expectError(.duplicateIdentifier, writingTo: store) { accessor in
                    try accessor.insert(contentsOf: [Keyed<Int64>(4711), Keyed<Int64>(4711)])
                }

                let shown = heard.takeDescriptions().filter { $0.contains("4711") }
                try expect(shown.count, equals: showsValues ? 3 : 0, "lines with a value: \(shown)")
            }
        }
        ConformanceCase("A block that hangs is reported while it hangs, and when it ends", proves: 23) {
            world in
            let (heard, isLong, isSlow) = (HeardDiagnostics(), Signal(), Signal())
            let store = try world.open(
                Restaurant.self,
                changing: { options in
                    options.slowBlockWarning = .milliseconds(1)
                    options.diagnostics = [
                        heard.note, { if case .longBlock = $0.event, $0.block == .write { isLong.fire() } },
                        { if case .slowBlock = $0.event, $0.block == .write { isSlow.fire() } },
                    ]
                })
            _ = heard.takeLines()

            try store.writeSync { _ in try isLong.wait() }

            // The thread that reports the first may still be at it, and then reports the second.
            try isSlow.wait()
            try expect(heard.takeLines(), equals: ["write long", "write slow"])
        }
        ConformanceCase("A slow handler gets the events of a block in their order", proves: 23) {
            world in
            let (isLong, goOn, isClosed) = (Signal(), Signal(), Signal())
            let heard = Locked<[String]>([])
            let store = try world.open(
                Restaurant.self,
                changing: { options in
                    options.slowBlockWarning = .milliseconds(1)
                    options.diagnostics = [
                        { diagnostic in
                            switch diagnostic.event {
                            case .longBlock:
                                isLong.fire()
                                try? goOn.wait()
                                heard.withLock { $0.append("long") }
                            case .slowBlock: heard.withLock { $0.append("slow") }
                            case .closed:
                                heard.withLock { $0.append("closed") }
                                isClosed.fire()
                            default: break
                            }
                        }
                    ]
                })

            // Its blocks are also blocks of its parent, whose events have an order of their own.
            if store.coordinator.parent != nil { return }

            try store.writeSync { _ in try isLong.wait() }
            try store.tearDown()
            goOn.fire()
            try isClosed.wait()

            try expect(heard.withLock { $0 }, equals: ["long", "slow", "closed"])
        }
    }
}

/// The diagnostics of the stores of a case.
private final class HeardDiagnostics: Sendable {
    private let heard = Locked<[DataStoreDiagnostic]>([])

    @Sendable func note(_ diagnostic: DataStoreDiagnostic) { heard.withLock { $0.append(diagnostic) } }

    /// The lines since the last call, without times.
    func takeLines() -> [String] { take().compactMap(\.line) }

    func takeDescriptions() -> [String] { take().map(\.description) }

    private func take() -> [DataStoreDiagnostic] { heard.exchange([]) }
}

extension DataStoreDiagnostic {
    fileprivate var line: String? {
        let place = block.map { "\($0) " } ?? ""
        switch event {
        case .lookUp(let itemType, _, let asked, let found, _):
            return "\(place)look-up \(itemType) \(found) of \(asked)"
        case .request(_, let rows, _): return "\(place)request \(rows)"
        case .wrote(let change, let itemType, let rows, _): return "\(place)\(change) \(itemType) \(rows)"
        case .committed(let rows, _): return "\(place)commit \(rows)"
        case .rolledBack(let error, _): return "\(place)roll-back \(type(of: error))"
        case .merged(let inserted, let updated, let deleted, _):
            return "merge \(inserted) \(updated) \(deleted)"
        case .longBlock: return "\(place)long"
        case .slowBlock: return "\(place)slow"
        case .failed(let failure): return "\(failure.call) failed"
        case .closed: return "closed"
        case .upgradeStep(let step, let rows, _): return "step \(step): \(rows)"
        case .upgraded(let steps, _): return "upgrade \(steps.joined(separator: ", "))"
        case .opened, .slowRequest, .difficulty: return nil
        }
    }
}
