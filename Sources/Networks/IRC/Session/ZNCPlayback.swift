import ChatModel
import IRCWire

/// Asks ZNC for what was missed, because with the capability `znc.in/playback` ZNC sends nothing by itself (README of
/// jpnurmi/znc-playback). Times are in seconds since 1970.
struct ZNCPlayback: Sendable {
    /// The seconds before the last receipt from which ZNC repeats messages: its clock may differ, and a short connection
    /// before this one may have ended before the answer came.
    private static let overlap: Int64 = 600

    /// The latest time of receipt in the archive; nil in a new archive.
    let lastReceipt: Timestamp?

    private func isAvailable(_ presence: IRCPresence) -> Bool {
        presence.registration.capabilities.contains("znc.in/playback")
    }

    /// Requests what ZNC kept since the last receipt.
    func requestMissed(_ presence: IRCPresence, _ step: inout IRCStep) {
        guard isAvailable(presence) else { return }
        let since = lastReceipt.map { max(0, $0.microseconds / 1_000_000 - Self.overlap) } ?? 0
        step.send.append(IRCMessage("PRIVMSG", "*playback", "PLAY * \(since)"))
    }

    /// Requests all that ZNC kept of a channel that was never archived, unless ``requestMissed(_:_:)`` did.
    func requestAll(of known: IRCLookup.KnownRoom, _ presence: IRCPresence, _ step: inout IRCStep) {
        guard isAvailable(presence), lastReceipt != nil, known.start == nil, known.room.kind == .channel else { return }
        step.send.append(IRCMessage("PRIVMSG", "*playback", "PLAY \(known.room.name) 0"))
    }
}
