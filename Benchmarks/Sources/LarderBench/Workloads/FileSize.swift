import Foundation

/// What a closed store takes on the disk for each item, with two indexes.
struct FileSize: Workload {
    var name: String { "file-size" }
    var title: String { "file size per item, 2 indexes" }
    var unit: Unit { .bytes }
    var contenders: Set<ContenderName> { .onDisk }
    var targets: [Target] { .line(sqlite: 1.05, lmdb: 1.1, memory: nil) }

    func rounds(inRunOf rounds: Int) -> Int { 1 }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session {
        FileSizeSession(contender, setting)
    }
}

private final class FileSizeSession: Session {
    let contender: ContenderName
    let operations = 1...1
    private let setting: Setting

    init(_ contender: ContenderName, _ setting: Setting) {
        self.contender = contender
        self.setting = setting
    }

    func prepare() {}

    func sample(operations: Int) throws -> Double {
        let place = try setting.folder.makeEmptyFolder()
        let store = try contender.makeContender(in: place, options: StoreOptions(isIndexed: true))
        try store.fill(from: setting.dataset)
        try store.close()
        let bytes = try contender.isOnServer ? ServerContenders.size(in: place) : sizeOfFiles(in: place)
        try contender.removeStore(in: place)
        return Double(bytes) / Double(setting.dataset.restaurants.count)
    }

    private func sizeOfFiles(in place: URL) throws -> Int {
        let files = try FileManager.default.contentsOfDirectory(
            at: place, includingPropertiesForKeys: [.fileSizeKey])
        let bytes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        return bytes.reduce(0, +)
    }

    func close() {}
}
