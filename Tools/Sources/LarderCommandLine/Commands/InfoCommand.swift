import ArgumentParser
import Larder
import LarderTransfer

struct InfoCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Describes a store and its item types.",
        discussion: "With a type: its attributes, indexes and relationships.")

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(help: "An item type.", completion: .custom(TypeCompletion.names))
    var type: String?

    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        // Before the store is opened, as reading may create files beside it.
        let address = try StoreEngine(ofStoreAt: store).address(of: store)
        let byteCount = ServerAddress.isOne(store) ? nil : StoreFiles.byteCount(of: address)
        try UntypedStore.reading(store, reading, acceptsIncomplete: true, isQuick: speed.quick) {
            store, reader in
            try session.noteUnfinished(store)
            if let type {
                let type = try TypeDescription(try reader.entity(named: type), reader)
                try session.write(type, asJSON: form.json)
            } else {
                try session.write(
                    try StoreDescription(store, reader, byteCount: byteCount), asJSON: form.json)
            }
        }
        return .success
    }
}

extension Session {
    fileprivate func write(_ store: StoreDescription, asJSON: Bool) throws {
        if asJSON { return try output.write(store.record.jsonText + "\n") }
        let paint = Paint(isEnabled: terminal.hasColoredOutput)
        try output.write(FieldOutput(fields: store.fieldsForPeople).text(paint: paint) + "\n")
        let names = ["type", "items", "attributes", "indexes"]
        try write(store.hasRelationships ? names + ["relationships"] : names, store.typeRows)
    }

    fileprivate func write(_ type: TypeDescription, asJSON: Bool) throws {
        if asJSON { return try output.write(type.record().jsonText + "\n") }
        try write(["attribute", "type", "required"], type.attributeRows)
        if !type.indexRows.isEmpty {
            try output.write("\n")
            try write(["index", "unique"], type.indexRows)
        }
        if type.relationshipRows.isEmpty { return }
        try output.write("\n")
        try write(
            ["relationship", "kind", "target", "inverse", "delete rule", "links"], type.relationshipRows)
    }

    private func write(_ names: [String], _ rows: [[OutputValue]]) throws {
        var records = records(names, .table)
        for row in rows { try records.write(row) }
        try records.finish()
    }
}
