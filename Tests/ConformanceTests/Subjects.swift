import Larder
import LarderConformance

/// The engines that are held to the contract here.
enum Subjects {
    static let all = [reference]

    static let reference = ConformanceSubject("reference") { ReferenceWorld() }
}

/// A piece of memory for reference stores.
struct ReferenceWorld: ConformanceMedium {
    private let medium = ReferenceMedium()

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        ReferenceDataStore(over: ReferenceAdapter(in: medium), storing: types, options: options)
    }

    func cleanUp() {}
}
