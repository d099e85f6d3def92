import ChatModel

extension IRCPast {
    /// What channels are called now, as it would be sent, by the keys of the names that they had and no channel has now.
    func renamed(_ names: IRCNames) -> [String: [UInt8]] {
        let today = Set(channels.map(\.room.key))
        var renamed: [String: (name: [UInt8], until: Timestamp)] = [:]
        for channel in channels {
            let name = Array(channel.room.name.utf8)
            // Else its bytes were no UTF-8, and are not known.
            guard names.key(name) == channel.room.key else { continue }
            for (former, until) in channel.formerNames {
                let key = names.key(Array(former.utf8))
                guard !today.contains(key), until > renamed[key]?.until ?? Timestamp(microseconds: .min) else {
                    continue
                }
                renamed[key] = (name, until)
            }
        }
        return renamed.mapValues(\.name)
    }
}
