/// Everything that the library's rules refuse in the state after a list of mutations.
package struct RuleFindings {
    package let oneToOneClashes: [OneToOneClash]
    package let uniquenessClashes: [UniquenessClash]
    package let dangling: [DanglingReference]
    package let denials: [Denial]
}

/// An item to which one mutation of a list refers, and another row as well, by a one-to-one relationship.
package struct OneToOneClash {
    /// The position of the mutation in its list.
    package let position: Int
    package let reference: ReferenceGraph.Reference
    package let holder: Constant
}

/// A value that one mutation of a list takes and another item holds.
package struct UniquenessClash {
    /// The position of the last mutation that gives a part of the value.
    package let position: Int
    package let entity: Int
    package let columns: [Int]
    package let holder: AnyItemID
}

extension RowPipeline {
    /// Applies a list past the library's rules, with all that follows from it, and finds what they refuse afterwards.
    ///
    /// The positions in the findings count from the list on to the rows that rules of the app have added.
    package func applyUnjudged(
        _ mutations: [RowMutation], in call: UndoneCall
    ) throws(DataStoreError) -> RuleFindings {
        try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            try resources.schema.withFolded(mutations) { mutations throws(DataStoreError) in
                let added = try judging { reading throws(DataStoreError) in
                    try rules.mutations(following: mutations, in: reading, byOwn: false)
                }
                return try (mutations + added).withUnsafeBufferPointer { all throws(DataStoreError) in
                    try applyUnjudged(all, asked: mutations.count, in: call)
                }
            }
        }
    }

    private func applyUnjudged(
        _ mutations: UnsafeBufferPointer<RowMutation>, asked: Int, in call: UndoneCall
    ) throws(DataStoreError) -> RuleFindings {
        let waves = DeletionWaves(in: self, of: call)
        let uniquenessClashes: [UniquenessClash]
        if rules.followsDeletion(by: mutations) {
            _ = try waves.apply(mutations, asked: asked)
            uniquenessClashes = try self.uniquenessClashes(of: mutations)
        } else {
            // The list alone decides who holds a value, so the question comes before its rows, which would all be found.
            uniquenessClashes = try self.uniquenessClashes(of: mutations)
            try write(mutations, in: call)
        }
        let (graph, denials) = (rules.graph, try waves.denials.found(in: self))
        return try judging { reading throws(DataStoreError) in
            RuleFindings(
                oneToOneClashes: try OneToOneRule(graph, of: reading.schema)
                    .clashes(of: mutations, in: reading),
                uniquenessClashes: uniquenessClashes,
                dangling: graph.isEmpty
                    ? [] : try ReferenceRule(graph: graph).dangling(in: mutations, reading, areApplied: true),
                denials: denials)
        }
    }

    func uniquenessClashes(
        of mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [UniquenessClash] {
        try judging { reading throws(DataStoreError) in
            try UniquenessRule().clashes(of: mutations, in: reading)
        }
    }
}
