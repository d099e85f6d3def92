import ChatModel

extension StoreChange {
    /// The kinds of changes, with their names as commands of requests.
    enum Kind: String {
        case markRead = "mark-read"
        case importLines = "import"
        case indexStep = "index"
        case requestAttachments = "attachments"
        case purge, hold, release, forget
        case eraseRoom = "erase-room"
        case merge
        case setOwnNames = "own-names"
        case bridge
        case dropFiles = "drop-files"
    }

    private var kind: Kind {
        switch self {
        case .markRead: .markRead
        case .importLines: .importLines
        case .indexStep: .indexStep
        case .requestAttachments: .requestAttachments
        case .purge: .purge
        case .hold: .hold
        case .release: .release
        case .forget: .forget
        case .eraseRoom: .eraseRoom
        case .merge: .merge
        case .setOwnNames: .setOwnNames
        case .bridge: .bridge
        case .dropFiles: .dropFiles
        }
    }

    /// Reads a change from the fields of a request.
    init(_ kind: Kind, from fields: KeyedDecodingContainer<ControlField>) throws {
        let account: String = try fields.value(.account)
        self =
            switch kind {
            case .markRead:
                try .markRead(account: account, rooms: fields.value(.rooms), through: fields.optional(.through))
            case .importLines:
                try .importLines(
                    account: account, fields.value(.lines), isUnread: fields.optional(.unread) ?? false)
            case .indexStep: try .indexStep(account: account, rebuild: fields.optional(.rebuild) ?? false)
            case .requestAttachments: try .requestAttachments(account: account, fields.value(.files))
            case .purge: try .purge(account: account, fields.value(.rules), from: fields.optional(.place))
            case .hold: try .hold(account: account, fields.value(.hold))
            case .release: try .release(account: account, hold: fields.value(.name))
            case .forget: try .forget(account: account, fields.value(.forgetting), from: fields.optional(.place))
            case .eraseRoom: try .eraseRoom(account: account, fields.value(.room), from: fields.optional(.place))
            case .merge: try .merge(account: account, fields.value(.merging), from: fields.optional(.place))
            case .setOwnNames: try .setOwnNames(account: account, fields.value(.names), from: fields.value(.source))
            case .bridge: try .bridge(account: account, fields.value(.bridging), from: fields.optional(.place))
            case .dropFiles: try .dropFiles(account: account, fields.value(.files))
            }
    }

    /// Writes the change into the fields of a request.
    func encode(to fields: inout KeyedEncodingContainer<ControlField>) throws {
        try fields.encode(kind.rawValue, forKey: .command)
        try fields.encode(account, forKey: .account)
        switch self {
        case .markRead(_, let rooms, let through):
            try fields.encode(rooms, forKey: .rooms)
            try fields.encodeIfPresent(through, forKey: .through)
        case .importLines(_, let lines, let isUnread):
            try fields.encode(lines, forKey: .lines)
            if isUnread { try fields.encode(true, forKey: .unread) }
        case .indexStep(_, let rebuild): try fields.encode(rebuild, forKey: .rebuild)
        case .requestAttachments(_, let request): try fields.encode(request, forKey: .files)
        case .purge(_, let rules, let place):
            try fields.encode(rules, forKey: .rules)
            try fields.encodeIfPresent(place, forKey: .place)
        case .hold(_, let hold): try fields.encode(hold, forKey: .hold)
        case .release(_, let name): try fields.encode(name, forKey: .name)
        case .forget(_, let request, let place):
            try fields.encode(request, forKey: .forgetting)
            try fields.encodeIfPresent(place, forKey: .place)
        case .eraseRoom(_, let room, let place):
            try fields.encode(room, forKey: .room)
            try fields.encodeIfPresent(place, forKey: .place)
        case .merge(_, let request, let place):
            try fields.encode(request, forKey: .merging)
            try fields.encodeIfPresent(place, forKey: .place)
        case .setOwnNames(_, let names, let source):
            try fields.encode(names, forKey: .names)
            try fields.encode(source, forKey: .source)
        case .bridge(_, let request, let place):
            try fields.encode(request, forKey: .bridging)
            try fields.encodeIfPresent(place, forKey: .place)
        case .dropFiles(_, let files): try fields.encode(files, forKey: .files)
        }
    }
}
