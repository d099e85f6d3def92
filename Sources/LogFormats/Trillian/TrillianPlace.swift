import Bytes
import ChatModel

/// The facts in the path of a log: `logs/ICQ/Query/1000.xml` is of the contact 1000, `logs/IRC/Channel/#example.log` of a
/// channel.
struct TrillianPlace {
    /// The contact's id or the channel's name; nil for a stream.
    let contact: String?
    private let isChannel: Bool
    private let folder: String?

    init(_ source: LogSource) {
        let name = source.name
        let stem =
            [".xml", ".log", ".txt"].contains(where: name.lowercased().hasSuffix) ? String(name.dropLast(4)) : name
        contact = ExportText.name(PercentCode.decode(stem).composed)
        isChannel = source.folders.last?.lowercased() == "channel"
        let folders = source.folders.filter { !["query", "channel"].contains($0.lowercased()) }
        folder = folders.last
    }

    /// - Parameter medium: The network that the log names; nil if it names none.
    func roomKind(medium: String?) -> RoomReference.Kind {
        guard isChannel else { return .direct }
        return (medium ?? folder)?.uppercased() == "IRC" ? .channel : .group
    }
}
