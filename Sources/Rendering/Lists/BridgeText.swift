package import ChatModel

/// A bridge in words.
package enum BridgeText {
    /// Returns a line such as `relay (id:2) <{nick}> {text}, made 2026-11-29`.
    package static func line(_ bridge: Bridge, zone: Zone) -> String {
        let state =
            switch bridge.state {
            case .done: ""
            case .unfinished: "; not finished, repeat the command"
            case .undoing: "; not undone yet, repeat the command with --undo"
            }
        return "\(Sanitizer.line(bridge.name)) (id:\(bridge.bot)) \(Sanitizer.line(bridge.pattern.text)), "
            + "made \(LocalTime(zone: zone).day(bridge.at))\(state)"
    }
}

extension Bridge {
    /// The keys of `scrollback archive bridge`.
    package static func listing(of account: String) -> Listing<Bridge> {
        Listing(
            name: "bridges", columns: [], keys: ["account", "bot_id", "bot", "pattern", "state", "at"],
            json: { bridge in
                .object([
                    "account": .string(account), "bot_id": .number(bridge.bot), "bot": .string(bridge.name),
                    "pattern": .string(bridge.pattern.text), "state": .string(bridge.state.rawValue),
                    "at": JSONValue(bridge.at),
                ])
            })
    }
}
