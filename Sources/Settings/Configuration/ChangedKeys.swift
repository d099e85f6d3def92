/// The keys of one table that differ between two configurations.
package struct ChangedKeys: Sendable, Hashable {
    /// The keys whose new value applies at once.
    package var live: [String] = []
    /// The keys whose new value applies after a reconnect.
    package var fixed: [String] = []

    package var isEmpty: Bool { live.isEmpty && fixed.isEmpty }
    /// The keys for people: `rooms, raw_keep`.
    package var text: String { (live + fixed).joined(separator: ", ") }
}

/// One key of a table, with its place in `Settings`.
package struct ComparedKey<Settings: Sendable>: Sendable {
    package let name: String
    package let isSame: @Sendable (Settings, Settings) -> Bool
    fileprivate let take: @Sendable (inout Settings, Settings) -> Void

    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
        isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.name = name
        self.isSame = { isSame($0[keyPath: path], $1[keyPath: path]) }
        take = { $0[keyPath: path] = $1[keyPath: path] }
    }

    package init<Value: Equatable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable
    ) {
        self.init(name, path) { $0 == $1 }
    }
}

/// The settings of a table whose keys are compared one by one.
package protocol ComparedSettings: Sendable, Equatable {
    /// The keys whose new value applies at once, or at the next connection at the latest.
    static var liveKeys: [ComparedKey<Self>] { get }
    /// The other keys, which require a reconnect.
    static var fixedKeys: [ComparedKey<Self>] { get }
}

extension ComparedSettings {
    package func changedKeys(to new: Self) -> ChangedKeys {
        var rest = self
        let changed = { (key: ComparedKey<Self>) in
            defer { key.take(&rest, new) }
            return key.isSame(self, new) ? nil : key.name
        }
        var keys = ChangedKeys(live: Self.liveKeys.compactMap(changed), fixed: Self.fixedKeys.compactMap(changed))
        // Reconnects for a key in neither list, because otherwise its new value would never apply.
        if rest != new { keys.fixed.append("others") }
        return keys
    }
}

extension Secret {
    /// Returns true if both secrets name the same place. The content is read at each login.
    package static func isInPlace(_ old: Secret?, _ new: Secret?) -> Bool {
        guard let old, let new else { return true }
        return old.file == new.file && (old.file != nil || old == new)
    }

    package static func isThere(_ old: Secret?, _ new: Secret?) -> Bool {
        (old == nil) == (new == nil)
    }
}
