import LarderKernel

extension SchemaHistory {
    /// Finds the name of the current version.
    ///
    /// - Throws: `.invalidSchema` with the first mistake of the history.
    func checkedName(ofCurrent current: String?) throws(DataStoreError) -> String {
        try requireVersions()
        try requireChain()
        let current = try nameOfCurrent(current)
        let ways = SchemaWays(of: self, to: current)
        try requireSteps(ways)
        for version in versions { try requireWay(from: version.name, to: current, ways) }
        return current
    }

    private func invalid(_ message: String, advice: String) -> DataStoreError {
        DataStoreError(.invalidSchema, "The history of the schema is wrong: \(message).", advice: advice)
    }

    private func requireVersions() throws(DataStoreError) {
        if versions.isEmpty {
            throw invalid("it has no versions", advice: "Add a SchemaVersion for each version of the app.")
        }
        var names: Set<UTF8Key> = []
        for version in versions {
            if let problem = SchemaVersion.problem(ofName: version.name) {
                throw invalid(
                    "the name of a version \(problem)",
                    advice: "Use a short name without control characters, such as \"1\".")
            }
            if !names.insert(UTF8Key(version.name)).inserted {
                throw invalid(
                    "two versions are called \(version.name)", advice: "Give each version a name of its own.")
            }
        }
        for version in versions { _ = try version.schema() }
        if let unnamed, version(named: unnamed) == nil {
            throw unknown(unnamed, "it takes stores without a name for version \(unnamed)")
        }
    }

    private func unknown(_ name: String, _ place: String) -> DataStoreError {
        invalid(
            "\(place), which is not one of its versions",
            advice: "Add SchemaVersion(\"\(name)\", …), or correct the name.")
    }

    private func requireChain() throws(DataStoreError) {
        if let problem = chain.problem {
            throw DataStoreError(
                .invalidSchema, problem, advice: "Let each version lead to one other, and never back.")
        }
        if let name = chain.versions.first(where: { version(named: $0) == nil }) {
            throw unknown(name, "its chain (\(chain)) names \(name)")
        }
    }

    private func nameOfCurrent(_ current: String?) throws(DataStoreError) -> String {
        if let current {
            if version(named: current) != nil { return current }
            throw unknown(current, "the current version should be \(current)")
        }
        let leaves = versions.map(\.name).filter { chain.next(from: $0) == nil }
        // In a valid chain at least one version leads to no other.
        guard leaves.count == 1 else {
            throw invalid(
                "any of \(leaves.joined(separator: ", ")) may be the current version, as none leads to another",
                advice: "Name the current version (current:), or add the ways between them to the chain.")
        }
        return leaves[0]
    }

    private func requireSteps(_ ways: SchemaWays) throws(DataStoreError) {
        var seen: Set<[UTF8Key]> = []
        for step in steps {
            if let name = [step.from, step.to].first(where: { version(named: $0) == nil }) {
                throw unknown(name, "the step \(step) names \(name)")
            }
            if UTF8Text.areEqual(step.from, step.to) {
                throw invalid(
                    "the step \(step) leads nowhere", advice: "Name the version that the step leads to.")
            }
            if !seen.insert([UTF8Key(step.from), UTF8Key(step.to)]).inserted {
                throw invalid(
                    "the step \(step) is declared twice", advice: "Make one step of the two.")
            }
            try requirePlace(of: step, ways)
        }
        try requireSingleWaysDown(ways)
    }

    /// Refuses a step that no way takes.
    private func requirePlace(of step: SchemaStep, _ ways: SchemaWays) throws(DataStoreError) {
        if ways.up.next(from: step.from).map({ UTF8Text.areEqual($0, step.to) }) == true { return }
        if let way = ways.up.way(from: step.from, to: step.to) {
            throw invalid(
                """
                two ways lead from \(step.from) to \(step.to): \(SchemaChain.drawing(of: way)) by its chain, \
                and the step \(step)
                """,
                advice: """
                    Remove the step, or let the chain lead there: "\(step.from)": "\(step.to)".
                    """)
        }
        if ways.up.way(from: step.to, to: step.from) != nil { return }
        throw invalid(
            "the step \(step) is on no way of its chain (\(chain.isEmpty ? "which is empty" : "\(chain)"))",
            advice: "Add \"\(step.from)\": \"\(step.to)\" to the chain, or remove the step.")
    }

    private func requireSingleWaysDown(_ ways: SchemaWays) throws(DataStoreError) {
        if ways.down.isEmpty { return }
        for start in versions {
            for end in versions where !UTF8Text.areEqual(start.name, end.name) {
                let found = ways.waysDown(from: start.name, to: end.name)
                guard found.count > 1 else { continue }
                throw invalid(
                    """
                    two ways lead down from \(start.name) to \(end.name): \
                    \(found.map { SchemaChain.drawing(of: $0) }.joined(separator: " and "))
                    """,
                    advice: "Remove one of their steps.")
            }
        }
    }

    /// Refuses a version that neither leads to the current one nor comes after it.
    private func requireWay(
        from version: String, to current: String, _ ways: SchemaWays
    ) throws(DataStoreError) {
        if ways.way(from: version, to: current) != nil || ways.up.way(from: current, to: version) != nil {
            return
        }
        let end =
            ways.up.next(from: version) == nil ? "nothing comes after it" : ways.up.drawing(from: version)
        throw invalid(
            "no way leads from version \(version) to the current version \(current): \(end)",
            advice: "Add the way to the chain, or leave the version out of the history.")
    }
}
