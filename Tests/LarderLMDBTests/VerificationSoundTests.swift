import Foundation
import Larder
import Testing

@testable import LarderLMDB

/// What LMDB writes is sound, whatever it has been through.
@Suite struct `The check of a sound file` {
    let folder: VerificationFolder

    init() throws {
        folder = try VerificationFolder()
    }

    @Test(arguments: VerificationShape.all)
    func `finds nothing and changes nothing`(_ shape: VerificationShape) throws {
        let path = folder.path("store")
        try shape.make(VerificationEnvironment(path))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))

        let report = try LMDBFileCheck.report(onFileAt: path)

        #expect(report == LMDBFileReport(problems: [], lostPages: 0))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(arguments: VerificationShape.all, [false, true])
    func `finds nothing in a copy LMDB has made`(_ shape: VerificationShape, _ isCompact: Bool) throws {
        let copy = folder.path("copy")
        let environment = try VerificationEnvironment(folder.path("store"))
        try shape.make(environment)
        try environment.copy(to: copy, compacting: isCompact)

        #expect(try LMDBFileCheck.report(onFileAt: copy) == LMDBFileReport(problems: [], lostPages: 0))
    }
}
