#if os(Linux)
    import Testing

    /// The members of public protocols; completion on a store offers each verb once.
    ///
    /// On Linux only, as the tool needs the path of an SDK elsewhere.
    @Suite(.enabled(if: Compiler.isThere))
    struct FaceTests {
        private static let verbs = [
            "changes", "coordinator", "description", "destroy", "destroyAsync", "errorHandler", "events",
            "flush", "name", "read", "readAsync", "setup", "setupAsync", "tearDown", "tearDownAsync",
            "writeAsync", "writeSync",
        ]

        @Test func `every store has these members, in these forms`() throws {
            let members = try Compiler().symbolGraph(
                of: "LarderKernel", "LarderAggregates", "LarderBlocks", "LarderCalculations",
                "LarderChildren", "LarderHooks", "LarderImport", "LarderNames", "LarderObservation",
                "LarderPages", "LarderPredicate", "LarderUnions", "LarderVersions"
            ).members(of: "DataStore")

            #expect(
                members == [
                    "chained", "changes", "changes(ofItem:of:including:)", "coordinator", "description",
                    "destroy()", "destroyAsync()", "details()", "errorHandler", "events", "flush()",
                    "flush()", "handleErrors(by:_:)", "handleErrorsOnMainActor(_:)",
                    "importItems(from:using:committingEvery:origin:progress:)",
                    "importItems(from:using:committingEvery:origin:progress:)",
                    "link(to:)", "link(to:of:)", "list(_:sectionedBy:)", "list(_:sectionedBy:)",
                    "list(_:sectionedBy:name:)",
                    "makeChildDataStore(named:)", "merge(_:policy:origin:)", "merge(_:policy:origin:)",
                    "mergePreview(_:policy:)", "mergePreview(_:policy:)", "name",
                    "read(_:)", "readAsync(_:)", "setup()", "setupAsync()", "tearDown()", "tearDownAsync()",
                    "values(_:)", "values(_:)", "values(of:)", "values(ofCount:)", "values(ofItem:of:)",
                    "writeAsync(origin:_:)", "writeAsync(origin:_:)", "writeAsync(origin:_:)",
                    "writeAsync(origin:_:)", "writeAsync(origin:_:completingBy:completion:)",
                    "writeAsync(origin:_:completion:)", "writeAsync(origin:_:completionOnMainActor:)",
                    "writeAsyncReportingChanges(origin:_:)", "writeSync(origin:_:)",
                    "writeSyncReportingChanges(origin:_:)",
                ])
        }

        @Test(arguments: [
            ("MemoryDataStore", "LarderMemory", []),
            (
                "SQLiteDataStore", "LarderSQLite",
                [
                    "backup", "backupAsync", "checkIntegrity", "checkIntegrityAsync", "checkpoint",
                    "checkpointAsync", "compact", "compactAsync", "statistics", "statisticsAsync",
                ]
            ),
            (
                "LMDBDataStore", "LarderLMDB",
                [
                    "backup", "backupAsync", "checkIntegrity", "checkIntegrityAsync", "compact",
                    "compactAsync", "statistics", "statisticsAsync", "withEnvironment",
                ]
            ),
            (
                "ChildDataStore", "LarderChildren",
                [
                    "discard", "discardAsync", "hasChanges", "makeChildDataStore", "merge", "mergePreview",
                    "parent", "refresh", "refreshAsync", "rollBack", "rollBackAsync", "stagedChanges",
                ]
            ),
        ])
        func `an engine's store adds its tools and nothing else`(
            _ type: String, _ module: String, _ tools: [String]
        ) throws {
            let members = try Compiler().symbolGraph(of: module).members(of: type)

            let names = Set(members.map { $0.prefix { $0 != "(" } }.map(String.init))
            #expect(names == Set(Self.verbs + tools))
        }

        @Test(arguments: ["StorageAdapter", "StorageReading", "StorageWriting"])
        func `no requirement of the seam has a default that a decorator would miss`(_ type: String) throws {
            let graph = try Compiler().symbolGraph(of: "LarderKernel")

            #expect(graph.members(of: type).count >= 5)
            #expect(graph.defaults(of: type) == [])
        }
    }
#endif
