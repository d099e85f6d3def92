package import ChatModel

/// A question of the reader to the archive. The model asks, and a thread of its own reads.
package enum ReaderRequest: Sendable, Hashable {
    /// All rooms, and the accounts that can't be read.
    case rooms
    /// The numbers of unread messages of some rooms.
    case unread([RoomKey])
    /// The first room with unread messages among these, in their order.
    case nextUnread([RoomKey])
    /// The coverage, the number of messages and the read marker of a room.
    case facts(RoomKey)
    /// The messages at a place.
    case open(RoomKey, Place, Choice)
    /// The messages before a cursor, or after it.
    case extend(RoomKey, isOlder: Bool, MessageID, Choice)
    /// Again the messages from the first loaded one on; nil for those of a room that had none.
    case refresh(RoomKey, from: MessageID?, count: Int, Choice)
    /// The number of messages after an id.
    case new(RoomKey, after: MessageID, Choice)
    /// The hits of a search before a cursor; nil for the newest ones.
    case hits(Search, before: MessageID?, limit: Int)
    /// The numbers of hits by year.
    case years(Search)
    /// The nearest gap before a time, or after it.
    case gap(RoomKey, isLater: Bool, from: Timestamp)
    /// The nearest day with messages before a day, or after it.
    case day(RoomKey, isLater: Bool, from: CivilDay)
    /// The numbers of messages of some days.
    case days(RoomKey, ClosedRange<Int64>)
    /// All details of a message.
    case details(account: String, MessageID)
    /// The conversation of a message.
    case conversation(account: String, MessageID, Choice)

    /// The place at which a room is opened.
    package enum Place: Sendable, Hashable {
        case latest, oldest
        /// The message in the middle of the screen; an instant without a message stands for the next one.
        case around(MessageID)
        /// The first message from an instant on, at the top of the screen.
        case from(MessageID)
        /// The first gap from an instant on.
        case gap(Timestamp)
    }

    /// The messages to show, and their number.
    package struct Choice: Sendable, Hashable {
        package var hidden: HiddenMessages
        package var names: MessageQuery.Names
        /// The limit of messages; 1 to 1000.
        package var limit: Int
    }

    /// A search.
    package struct Search: Sendable, Hashable {
        package enum Scope: Sendable, Hashable {
            case room(RoomKey)
            case account(String)
            case everything

            /// Returns the next place to search: the room, its account, everything, and the room again.
            func next(in room: RoomKey) -> Scope {
                switch self {
                case .room: .account(room.account)
                case .account: .everything
                case .everything: .room(room)
                }
            }
        }

        package var text: String
        package var scope: Scope
        package var hidden: HiddenMessages
        package var names: MessageQuery.Names

        /// True if there is nothing to search for.
        var isBlank: Bool { text.allSatisfy { $0 == " " } }
    }

    /// True if it waits while others are read, and begins again after them.
    package var isInBackground: Bool {
        switch self {
        case .rooms, .unread, .facts, .years, .new: true
        default: false
        }
    }

    /// The kind of question: a later one of the same kind replaces an earlier one that has no answer yet.
    package var kind: String {
        switch self {
        case .rooms: "rooms"
        case .unread: "unread"
        case .facts: "facts"
        case .new: "new"
        case .extend(_, let isOlder, _, _): isOlder ? "older" : "newer"
        case .hits: "hits"
        case .years: "years"
        case .refresh: "refresh"
        case .open, .nextUnread, .gap, .day, .days, .details, .conversation: "place"
        }
    }
}

/// An answer of the archive.
package enum ReaderAnswer: Sendable {
    case rooms([Room], skipped: [SkippedAccount])
    case unread([Room])
    case nextUnread(RoomKey?)
    case facts(RoomState)
    case page(Page)
    case new(count: Int, hasMore: Bool)
    case hits(Page, notes: String)
    case years([HitCount])
    /// The beginning of a gap; nil if there is none.
    case gap(Timestamp?)
    /// A day; nil if there is none.
    case day(CivilDay?)
    case days([DayCount])
    case details(MessageDetail)
    case conversation(MessageThread)
    /// The question has no answer: one sentence.
    case failed(String)
}

/// Facts of a room for its heading.
package struct RoomState: Sendable, Hashable {
    package var room: Room
    /// The unread state; nil if the room does not exist any more.
    package var unread: UnreadRoom?
    /// The last gap in which messages may be missing; nil if there is none.
    package var lastGap: Gap?
}
