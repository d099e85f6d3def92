package import ChatModel
import Rendering

/// The facts that a reader has from its command.
package struct ReaderSettings: Sendable {
    /// The zone of times.
    package var zone: Zone
    /// True if the archive's files are watched, so that new messages appear.
    package var isWatched: Bool
    /// The reason why nothing can be marked as read; nil if it can.
    package var marksNothing: String?
    /// The options to repeat in a command that opens a place.
    package var given: [String] = []
    /// The names of bots, which can be hidden.
    package var hidden: HiddenMessages = []
    package var names = MessageQuery.Names.then
    /// Returns the present time.
    package var now: @Sendable () -> Timestamp

    package init(
        zone: Zone, isWatched: Bool, marksNothing: String? = nil, given: [String] = [],
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.zone, self.isWatched, self.marksNothing, self.given) = (zone, isWatched, marksNothing, given)
        self.now = now
    }
}

extension ReaderSettings {
    /// Returns the look of a pane on a screen.
    func look(_ size: ScreenSize, matches: BodyRanges? = nil, showsRooms: Bool = false) -> Pane.Look {
        Pane.Look(
            layout: RowLayout(
                time: LocalTime(zone: zone), now: now(), columns: size.paneColumns, showsRooms: showsRooms,
                matches: matches))
    }
}
