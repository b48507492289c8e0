import Larder
import LarderTransfer

/// A forecast for a store and the shapes of versions, without the code of an app.
///
/// Steps that small changes suffice for are foreseen as they will be. A step that needs more is taken as one
/// that gives each of the types concerned to a closure, row by row.
struct ShapeForecast {
    let forecast: MigrationForecast
    /// The steps that will run, with what they need of the app.
    let steps: [Step]

    /// A step with what it needs.
    struct Step {
        let step: MigrationForecast.Step
        /// The sentences that say why it cannot be inferred from the shapes; none if it can.
        let needs: [String]
        /// True if it runs in a copy of the store.
        let isCopied: Bool
    }

    /// True if a step cannot be inferred from the shapes.
    var needsApp: Bool { steps.contains { !$0.needs.isEmpty } }

    /// - Parameters:
    ///   - versions: The versions on the way, oldest first. A single one is reached directly from what is
    ///     stored.
    ///   - makeForecast: Makes the forecast of a history for the store.
    /// - Throws: `.schemaMismatch` when several versions are given, and the store has another;
    ///   `.invalidSchema` for two versions of one name; what `makeForecast` throws.
    init(
        of stored: StoredSchema, through versions: [SchemaVersion],
        makeForecast: (SchemaHistory) throws -> MigrationForecast
    ) throws {
        let versions = try Self.withOwn(stored, versions)
        let history = SchemaHistory(versions)
        guard let found = try history.version(of: stored) else {
            forecast = try makeForecast(history)
            steps = []
            return
        }
        let start = versions.firstIndex { $0.isCalled(found.version.name) } ?? 0
        var builder = StepBuilder()
        var forecast = try makeForecast(SchemaHistory([versions[start]]))
        for end in versions.indices.dropFirst(start + 1) {
            forecast = try builder.extend(to: Array(versions[start...end]), makeForecast)
        }
        self.forecast = forecast
        // A store of this shape differs in the order of attributes alone, which a shape does not have.
        let isAtGoal = found.hasShape && start == versions.count - 1
        steps = (isAtGoal ? [] : forecast.steps).map { step in
            Step(
                step: step, needs: builder.needs["\(step.from) → \(step.to)"] ?? [],
                isCopied: forecast.isCopied)
        }
    }

    /// The number of rows of all steps.
    var rows: Int { steps.isEmpty ? 0 : forecast.rows }

    /// The space that the steps need beside the store.
    var neededBytes: Int { steps.isEmpty ? 0 : forecast.neededBytes }

    /// True if the disk is known to have less free space than the steps need.
    var lacksSpace: Bool { !steps.isEmpty && forecast.lacksSpace }

    /// The versions, with the store's own in front if one goal is given and the store has not reached it.
    private static func withOwn(
        _ stored: StoredSchema, _ versions: [SchemaVersion]
    ) throws -> [SchemaVersion] {
        guard versions.count == 1, !stored.entities.isEmpty else { return versions }
        let goal = versions[0]
        if let name = stored.version, goal.isCalled(name) { return versions }
        let isAtGoal = try stored.version == nil && goal.shape() == SchemaShape(stored)
        if isAtGoal { return versions }
        let unnamed = goal.isCalled("unnamed") ? "unnamed store" : "unnamed"
        return [SchemaVersion(stored.version ?? unnamed, stored: stored), goal]
    }
}

/// Finds the steps between shapes one after the other.
private struct StepBuilder {
    private var steps: [SchemaStep] = []
    /// The sentences that say what a step needs of the app, by its name.
    private(set) var needs: [String: [String]] = [:]

    /// Adds the step to the last of some versions.
    mutating func extend(
        to versions: [SchemaVersion], _ makeForecast: (SchemaHistory) throws -> MigrationForecast
    ) throws -> MigrationForecast {
        let (from, to) = (versions[versions.count - 2], versions[versions.count - 1])
        let (old, new) = (try from.shape().itemTypes, try to.shape().itemTypes)
        var mapped: [String] = []
        while true {
            let step = SchemaStep(from: from.name, to: to.name) {
                for type in mapped { Self.mapping(of: type, in: old, new) }
            }
            let all = mapped.isEmpty ? steps : steps + [step]
            do {
                let forecast = try makeForecast(SchemaHistory(versions, steps: all))
                steps = all
                return forecast
            } catch let error as DataStoreError where error.code == .schemaMismatch {
                // Mapping more types does not help any more: the error is about something else.
                let types = error.concernedTypes.filter { !mapped.contains($0) }
                if types.isEmpty { throw error }
                mapped += types
                needs[step.description, default: []] += error.reasons
            }
        }
    }

    /// A mapping in the place of the app's, whose closure is never run.
    private static func mapping(of type: String, in old: [String], _ new: [String]) -> EntityMapping {
        if !new.contains(type) { return Delete(type).entityMapping }
        if !old.contains(type) { return Insert(type) { _, _ in }.entityMapping }
        return Transform(type) { _, new in _ = try new.make() }.entityMapping
    }
}

extension SchemaVersion {
    /// True if it has this name, to the byte.
    fileprivate func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension DataStoreError {
    /// The item types that a step has to map, each once.
    fileprivate var concernedTypes: [String] {
        let types = differences.isEmpty ? [itemType].compactMap(\.self) : differences.map(\.itemType)
        return types.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The reasons why a step cannot be inferred.
    fileprivate var reasons: [String] {
        differences.isEmpty ? [message] : differences.map { "\($0.message)." }
    }
}
