/// A fact about an account other than a message, as a line of a full export: an object whose key `record` names its
/// kind (`docs/json.md`).
///
/// Rooms and people are identified by key, because numbers are valid in one file only. Nil values are left out of the
/// JSON.
package enum ArchiveRecord: Sendable, Hashable {
    case account(AccountRecord)
    case workspace(WorkspaceRecord)
    case user(UserRecord)
    case room(RoomRecord)
    case membership(MembershipRecord)
    /// A span of a room that is known to be complete.
    case coverage(SpanRecord)
    /// A span of a room for which a log was imported.
    case importedSpan(SpanRecord)
    case gapNote(GapNoteRecord)
    case readMarker(ReadMarkerRecord)
    case retraction(RetractionRecord)
    /// A reaction to a message that isn't archived; other reactions are in their message's line.
    case reaction(ReactionRecord)
    case failure(FailureRecord)

    /// The value of the key `record`.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case account, workspace, user, room, membership, coverage
        case importedSpan = "imported_span"
        case gapNote = "gap_note"
        case readMarker = "read_marker"
        case retraction, reaction, failure
    }

    package var kind: Kind {
        switch self {
        case .account: .account
        case .workspace: .workspace
        case .user: .user
        case .room: .room
        case .membership: .membership
        case .coverage: .coverage
        case .importedSpan: .importedSpan
        case .gapNote: .gapNote
        case .readMarker: .readMarker
        case .retraction: .retraction
        case .reaction: .reaction
        case .failure: .failure
        }
    }
}

extension ArchiveRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case record
    }

    package init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .record) {
        case .account: self = .account(try AccountRecord(from: decoder))
        case .workspace: self = .workspace(try WorkspaceRecord(from: decoder))
        case .user: self = .user(try UserRecord(from: decoder))
        case .room: self = .room(try RoomRecord(from: decoder))
        case .membership: self = .membership(try MembershipRecord(from: decoder))
        case .coverage: self = .coverage(try SpanRecord(from: decoder))
        case .importedSpan: self = .importedSpan(try SpanRecord(from: decoder))
        case .gapNote: self = .gapNote(try GapNoteRecord(from: decoder))
        case .readMarker: self = .readMarker(try ReadMarkerRecord(from: decoder))
        case .retraction: self = .retraction(try RetractionRecord(from: decoder))
        case .reaction: self = .reaction(try ReactionRecord(from: decoder))
        case .failure: self = .failure(try FailureRecord(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .record)
        switch self {
        case .account(let record): try record.encode(to: encoder)
        case .workspace(let record): try record.encode(to: encoder)
        case .user(let record): try record.encode(to: encoder)
        case .room(let record): try record.encode(to: encoder)
        case .membership(let record): try record.encode(to: encoder)
        case .coverage(let record), .importedSpan(let record): try record.encode(to: encoder)
        case .gapNote(let record): try record.encode(to: encoder)
        case .readMarker(let record): try record.encode(to: encoder)
        case .retraction(let record): try record.encode(to: encoder)
        case .reaction(let record): try record.encode(to: encoder)
        case .failure(let record): try record.encode(to: encoder)
        }
    }
}
