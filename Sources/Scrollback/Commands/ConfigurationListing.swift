import Rendering
import Settings

/// A mistake in a configuration, or a warning about it.
struct ConfigurationRemark: Sendable {
    var isMistake: Bool
    /// Nil for a remark on the whole file.
    var line: Int?
    var text: String
}

extension ConfigurationRemark {
    /// The keys of `scrollback config check`.
    ///
    /// - Parameters:
    ///   - accounts: The number of accounts; nil for an invalid configuration, as for the data folder.
    static func listing(on path: String, of accounts: Int?, data: String?) -> Listing<ConfigurationRemark> {
        Listing(
            name: "remarks", columns: [], keys: ["kind", "line", "detail"],
            json: { remark in
                .object([
                    "kind": .string(remark.isMistake ? "mistake" : "warning"),
                    "line": JSONValue(remark.line.map(Int64.init)), "detail": .string(remark.text),
                ])
            },
            totals: { remarks in
                .object([
                    "configuration": .string(path), "valid": .bool(!remarks.contains(where: \.isMistake)),
                    "accounts": JSONValue(accounts.map(Int64.init)), "data": JSONValue(data),
                ])
            })
    }
}

extension EffectiveConfiguration.Setting {
    /// The keys of `scrollback config show`.
    static let listing = Listing<EffectiveConfiguration.Setting>(
        name: "settings", columns: [], keys: ["table", "account", "key", "value", "is_default"],
        json: { setting in
            .object([
                "table": JSONValue(setting.table), "account": JSONValue(setting.account), "key": .string(setting.key),
                "value": setting.value, "is_default": .bool(setting.isDefault),
            ])
        })
}

extension FoundConfiguration {
    /// The keys of `scrollback config path`.
    static let listing = Listing<FoundConfiguration>(
        name: "configurations", columns: [], keys: ["path", "reason"],
        json: { .object(["path": .string($0.absolutePath), "reason": .string($0.source.reason)]) })
}
