import LarderKernel
package import struct Foundation.URL

extension StorePlace {
    /// The place that a URL names; every use refuses a URL that is not a path of this machine.
    package init(_ url: URL) {
        let url = url.absoluteURL
        let path = url.path
        let isHere = ["", "localhost"].contains(url.host ?? "")
        if !url.isFileURL || !isHere {
            self.init(
                refusing: url, "The URL is not the file URL of a path on this machine.",
                advice: "Make it with URL(fileURLWithPath:).")
        } else if path.isEmpty || path.utf8.contains(0) {
            self.init(
                refusing: url, "The path of the URL is not UTF-8.",
                advice: "Give the file another name.")
        } else {
            self.init(path)
        }
    }

    private init(refusing url: URL, _ message: String, advice: String) {
        self.init(
            url.absoluteString,
            refusal: DataStoreError(.cannotOpen, message, advice: advice, path: url.absoluteString))
    }
}
