#if canImport(SwiftUI) || SwiftUIStandIns
    public import Larder

    #if canImport(SwiftUI)
        public import Combine
        public import Foundation
    #else
        public import SwiftUIStandIns
    #endif

    /// An item while it is edited on a screen with *Cancel* and *Save*: its changes are staged in a child store.
    ///
    /// ```swift
    /// struct RecipeEditor: View {
    ///     @StateObject private var session: EditSession<Recipe>
    ///     @Environment(\.dismiss) private var dismiss
    ///
    ///     init(_ recipe: Recipe, in store: any DataStore) {
    ///         _session = StateObject(wrappedValue: EditSession(recipe, in: store))
    ///     }
    ///
    ///     var body: some View {
    ///         Form {
    ///             TextField("Name", text: $session.item.name)
    ///             Button("Save") { Task { if await session.save() { dismiss() } } }
    ///             Button("Cancel") { session.cancel(); dismiss() }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Only the attributes that the session has changed are staged, and merged: what others change meanwhile in the rest of
    /// the item stays. A change that cannot be staged, such as a unique value that another item has, stays in ``item``
    /// with its ``error``, and is tried again with the next change and by ``save(policy:)``.
    ///
    /// *Rule:* for the main actor. It keeps the store; what is not saved is gone with the session. *Cost:* a small write
    /// block of the child for each change, on the main thread.
    @MainActor
    public final class EditSession<Item: DataStoreItem>: ObservableObject {
        // reason: the requirement is not isolated; the publisher is constant, and used on the main actor.
        public nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
        /// The child of the store with all changes; nil if it could not be made, see ``error``.
        ///
        /// Give it to views by ``SwiftUI/View/dataStore(_:)``, so that their lists show what is staged.
        public let draft: ChildDataStore?
        /// The error of the last change or of the last attempt to save; nil if there was none.
        public private(set) var error: (any Error)?
        /// The undo manager that changes of ``item`` are registered with; nil for none.
        ///
        /// ```swift
        /// .onAppear { session.undoManager = undoManager }      // @Environment(\.undoManager)
        /// ```
        ///
        /// Saving and canceling remove the session's actions from it.
        public weak var undoManager: UndoManager?
        private let store: any DataStore
        /// True while the item is not in the store.
        private var isNew: Bool
        /// True while the item is not in the draft either: the draft has refused it so far.
        private var needsInsertion = false
        private let first: Item
        private var shown: Item
        /// The item as the draft has it, as far as the session knows.
        private var staged: Item
        private let undoTarget = UndoTarget<Item>()
        /// The merges of the saves that run; those that were canceled are not among them.
        private var saves: Set<Task<MergeResult, any Error>> = []

        /// Edits an item of a store.
        public convenience init(_ item: Item, in store: any DataStore) {
            self.init(item, isNew: false, in: store)
        }

        /// Edits an item that is not in the store; saving inserts it.
        public convenience init(inserting item: Item, in store: any DataStore) {
            self.init(item, isNew: true, in: store)
        }

        private init(_ item: Item, isNew: Bool, in store: any DataStore) {
            self.store = store
            self.isNew = isNew
            first = item
            shown = item
            staged = item
            let child = Result { try store.makeChildDataStore() }
            draft = try? child.get()
            undoTarget.session = self
            do {
                _ = try child.get()
                try begin()
            } catch {
                self.error = error
            }
        }

        /// The item with all changes; setting an attribute stages it.
        ///
        /// ```swift
        /// TextField("Name", text: $session.item.name)
        /// ```
        ///
        /// An item with another identifier is refused, and nothing of it is kept; ``error`` says so until the next call. So is
        /// one that was given items for a relationship (`.unsupported`), unless the draft has not taken the new item so far:
        /// set them in a block of ``edit(_:)``. A transient value is shown and not staged, and is lost when the session reads
        /// the item again.
        public var item: Item {
            get { shown }
            set { change(to: newValue) }
        }

        /// True if saving would store anything, or would try to.
        ///
        /// *Cost:* as ``ChildDataStore/hasChanges``.
        public var hasChanges: Bool {
            needsInsertion || draft?.hasChanges ?? false || ((try? staged.hasSameValues(as: shown)) != true)
        }
    }

    // MARK: Changing

    extension EditSession {
        /// Stages changes of other items along with the item, and of relationships.
        ///
        /// ```swift
        /// session.edit { try $0.insert(Step(text: "Bake.", recipe: ToOne(session.item))) }
        /// ```
        ///
        /// The undo manager is not told of it.
        ///
        /// - Returns: False if the block threw, and nothing has changed; see ``error``.
        @discardableResult
        public func edit(_ block: (DataStoreReadWriteAccessor) throws -> Void) -> Bool {
            attempt { draft in
                try draft.writeSync(block)
                try readAgain(from: draft)
            }
        }

        private func change(to new: Item) {
            let old = shown
            guard new.id.anyItemID == first.id.anyItemID else {
                attempt { _ in
                    throw DataStoreError(
                        .invalidValue, "The item of a session cannot get another identifier.",
                        advice: "Edit the other item in a session of its own.", itemType: Item.schema.name,
                        identifier: first.id.anyItemID)
                }
                return
            }
            guard takes(new) else {
                attempt { _ in
                    throw DataStoreError(
                        .unsupported, "The item of a session was given items for a relationship.",
                        advice: "Set them in a block of edit(_:), through the handle of the item.",
                        itemType: Item.schema.name, identifier: first.id.anyItemID)
                }
                return
            }
            let isSame = (try? old.hasSameValues(as: new)) == true
            objectWillChange.send()
            shown = new
            // A transient value is not staged; but the items that a new item was given may be others.
            if isSame, !needsInsertion { return }
            stage()
            if isSame { return }
            undoManager?.registerUndo(withTarget: undoTarget) { [undoTarget] _ in
                MainActor.assumeIsolated { undoTarget.session?.undo(from: new, to: old) }
            }
        }

        /// True unless the item was given items for a relationship, which only an insertion stages.
        private func takes(_ item: Item) -> Bool { needsInsertion || (try? item.wasGivenItems()) != true }

        /// Gives the attributes that a change has set their old values.
        fileprivate func undo(from new: Item, to old: Item) {
            // The old item itself if nothing else has changed: the one below is made of attributes alone, without transient
            // values and the items that a new item was given.
            if takes(old), (try? shown.hasSameValues(as: new)) == true { return change(to: old) }
            // A value that cannot be encoded has nothing to apply changes to.
            change(to: (try? shown.applying(changesFrom: new, to: old)) ?? old)
        }

        /// Stages what is shown and not staged yet.
        @discardableResult
        private func stage() -> Bool {
            attempt { try stage(in: $0) }
        }

        private func stage(in draft: ChildDataStore) throws {
            let (staged, shown, needsInsertion) = (staged, shown, needsInsertion)
            // With nothing left to stage, the item may be deleted, by the session too.
            if !needsInsertion, try staged.hasSameValues(as: shown) { return }
            // Caught inside the block, as the session shows it: an error handler would get one for each keystroke.
            let outcome = try draft.writeSync { accessor in
                Result {
                    // As it is read: the items that it was given are staged.
                    if needsInsertion { return try accessor.insert(shown).item }
                    guard let current = try accessor.item(id: shown.id, of: Item.self) else {
                        throw DataStoreError(
                            .itemNotFound, "The item that is edited was deleted meanwhile.",
                            advice: "Cancel the session, or insert the item again in a session of its own.",
                            itemType: Item.schema.name, identifier: shown.id.anyItemID)
                    }
                    let changed = try current.applying(changesFrom: staged, to: shown)
                    try accessor.update(changed)
                    return changed
                }
            }
            let changed = try outcome.get()
            (self.staged, self.needsInsertion) = (changed, false)
            // The shown one may have transient values.
            if !needsInsertion, try changed.hasSameValues(as: shown) { return }
            self.shown = changed
        }

        /// Runs an action on the draft, and keeps its error.
        @discardableResult
        private func attempt(_ action: (ChildDataStore) throws -> Void) -> Bool {
            // Without a draft, the error that says why stays.
            guard let draft else { return false }
            objectWillChange.send()
            error = nil
            do {
                try action(draft)
            } catch {
                self.error = error
            }
            return error == nil
        }

        /// Takes over the item as the draft has it, with the changes that are not staged.
        private func readAgain(from draft: ChildDataStore) throws {
            guard let current = try draft.read({ try $0.item(id: first.id, of: Item.self) }) else { return }
            // An app may have inserted it itself, in a block of ``edit(_:)``.
            needsInsertion = false
            shown = try current.applying(changesFrom: staged, to: shown)
            staged = current
        }
    }

    // MARK: Ending

    extension EditSession {
        /// Stores all changes by one atomic write of the store; the session may be used further.
        ///
        /// ```swift
        /// Button("Save") { Task { if await session.save() { dismiss() } } }
        /// ```
        ///
        /// - Parameter policy: The way to settle conflicts with what others have stored meanwhile; by default they are the
        ///   ``error``, and nothing is stored.
        /// - Returns: False if nothing was stored, or if the store cannot know (`.commitUncertain`); see ``error``. Also if
        ///   the session was canceled before the write began, without an error then.
        public func save(policy: MergePolicy = .fail) async -> Bool {
            guard let draft, stage() else { return false }
            let saving = Task { [store] in try await store.merge(draft, policy: policy) }
            saves.insert(saving)
            let outcome = await withTaskCancellationHandler {
                await saving.result
            } onCancel: {
                saving.cancel()
            }
            let wasCanceled = saves.remove(saving) == nil
            do {
                _ = try outcome.get()
            } catch {
                if wasCanceled, error is CancellationError { return false }
                return attempt { _ in throw error }
            }
            // Everything is stored by now, even if it cannot be read again.
            attempt { draft in
                isNew = false
                undoManager?.removeAllActions(withTarget: undoTarget)
                try readAgain(from: draft)
            }
            return true
        }

        /// Throws all changes away; the session shows what is stored, and may be used further.
        ///
        /// A ``save(policy:)`` that still waits for its turn among the writes of the store stores nothing.
        public func cancel() {
            for saving in saves { saving.cancel() }
            saves.removeAll()
            undoManager?.removeAllActions(withTarget: undoTarget)
            attempt { draft in
                try draft.rollBack()
                try begin()
            }
        }

        /// Begins with nothing staged but an item that is new.
        private func begin() throws {
            (shown, staged, needsInsertion) = (first, first, isNew)
            guard let draft else { return }
            try stage(in: draft)
            try readAgain(from: draft)
        }
    }

    /// The target of the actions in an undo manager: it does not keep its targets, so the actions keep this
    /// one, and a session that is gone has nothing to undo.
    @MainActor
    private final class UndoTarget<Item: DataStoreItem> {
        weak var session: EditSession<Item>?
    }
#endif
