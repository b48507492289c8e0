#if !canImport(SwiftUI)
    /// What a window is for SwiftUI: it draws a view as lines of text, and hears when they may have changed.
    ///
    ///     let host = Host(RecipeList().dataStore(store))
    ///     host.lines                                   // ["Cake", "Stew"]
    ///     await host.change { try store.writeSync { … } }
    ///
    /// The properties of the view and of the modifiers around it live as long as the host. A view that a `body` makes is
    /// new each time it is drawn.
    @MainActor
    public final class Host {
        private var view: any View
        private var isStale = false
        private var waiting: CheckedContinuation<Void, Never>?
        private var observed: Set<ObjectIdentifier> = []

        public init(_ view: some View) { self.view = view }

        /// The view, drawn now.
        public var lines: [String] {
            isStale = false
            return draw(view, in: EnvironmentValues())
        }

        /// Shows another value of the view, whose properties keep their state.
        public func replace(by view: some View) {
            adopt(view, from: self.view)
            self.view = view
        }

        /// Waits until the view has to be drawn again.
        public func staleness() async {
            if isStale { return }
            await withCheckedContinuation { waiting = $0 }
        }

        func draw(_ view: some View, in environment: EnvironmentValues) -> [String] {
            connect(view, in: environment)
            return view.lines(on: self, in: environment)
        }

        func invalidate() {
            isStale = true
            waiting?.resume()
            waiting = nil
        }

        /// Becomes stale with an object.
        public func observe(_ object: some ObservableObject) {
            guard observed.insert(ObjectIdentifier(object)).inserted else { return }
            object.objectWillChange.receivers.append { [weak self] in
                MainActor.assumeIsolated { self?.invalidate() }
            }
        }

        /// Connects the properties of a value, the inner ones first, as SwiftUI does.
        private func connect(_ value: Any, in environment: EnvironmentValues) {
            for (_, property) in Mirror(reflecting: value).children {
                guard var dynamic = property as? any DynamicProperty else { continue }
                if let hosted = property as? any HostedProperty {
                    hosted.connect(to: self, in: environment)
                } else {
                    connect(property, in: environment)
                }
                dynamic.update()
            }
        }

        /// Takes over the state of properties, and of the views within a modifier.
        private func adopt(_ new: Any, from old: Any) {
            for ((_, new), (_, old)) in zip(
                Mirror(reflecting: new).children, Mirror(reflecting: old).children)
            {
                if let new = new as? any HostedProperty, let old = old as? any HostedProperty {
                    new.adopt(old)
                } else if new is any DynamicProperty || new is any View {
                    adopt(new, from: old)
                }
            }
        }
    }
#endif
