import Larder
import LarderSwiftUI

#if canImport(SwiftUI)
    import SwiftUI
#else
    import SwiftUIStandIns
#endif

/// A recipe while it is edited; nothing is stored before Save.
struct RecipeEditor: View {
    @StateObject private var session: EditSession<Recipe>
    @Environment(\.dismiss) private var dismiss
    @Environment(\.undoManager) private var undoManager

    init(_ edited: Edited, in store: any DataStore) {
        _session = StateObject(
            wrappedValue: edited.isNew
                ? EditSession(inserting: edited.recipe, in: store) : EditSession(edited.recipe, in: store))
    }

    var body: some View {
        Form {
            TextField("Name", text: $session.item.name)
            Stepper("Rating: \(session.item.rating)", value: $session.item.rating, in: 1...5)
            if let error = session.error as? DataStoreError {
                Text("\(error.message) \(error.advice)")
            }
            Button("Undo") { undoManager?.undo() }
            Button("Cancel") {
                session.cancel()
                dismiss()
            }
            Button("Save") {
                Task { if await session.save() { dismiss() } }
            }
            .disabled(!session.hasChanges)
        }
        .onAppear { session.undoManager = undoManager }
    }
}
