import ChatModel
import IRCWire

extension IRCStoredState {
    /// Returns the present names of channels, by folded former names that no channel has now.
    func renames(_ mapping: CaseMapping) -> [[UInt8]: [UInt8]] {
        let current = Set(channels.map { Array($0.room.key.utf8) })
        var renames: [[UInt8]: (name: [UInt8], until: Timestamp)] = [:]
        for channel in channels {
            let name = Array(channel.room.name.utf8)
            // Otherwise the name's bytes were not UTF-8, and are unknown.
            guard mapping.fold(name) == Array(channel.room.key.utf8) else { continue }
            for (former, until) in channel.formerNames {
                let key = mapping.fold(Array(former.utf8))
                if let other = renames[key], other.until >= until { continue }
                if !current.contains(key) { renames[key] = (name, until) }
            }
        }
        return renames.mapValues(\.name)
    }
}
