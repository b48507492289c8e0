import Testing

@testable import LarderFiles

/// A note in a folder names what is near it by where it is from there.
struct RelativePathTests {
    @Test(arguments: [
        ("/app/data/new", "/app/data", "new"),
        ("/app/data/deep/new", "/app/data", "deep/new"),
        ("/app/library/new", "/app/data", "../library/new"),
        ("/app/new", "/app/data/deep", "../../new"),
        ("/new", "/", "new"),
    ])
    func `what is in the same tree is found again when the tree moves`(
        _ path: String, _ folder: String, _ relative: String
    ) {
        #expect(RelativePath.relative(path, to: folder) == relative)
        #expect(RelativePath.absolute(relative, from: folder) == path)
        if folder != "/" {
            #expect(RelativePath.absolute(relative, from: "/moved" + folder) == "/moved" + path)
        }
    }

    @Test(arguments: [("/other/new", "/app/data"), ("new", "/app"), ("/app/new", "app"), ("/app", "/app")])
    func `what is elsewhere is named in full`(_ path: String, _ folder: String) {
        #expect(RelativePath.relative(path, to: folder) == path)
    }
}
