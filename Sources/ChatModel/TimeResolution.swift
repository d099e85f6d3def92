/// How exactly a source tells the time of what it has.
package enum TimeResolution: String, Sendable, Hashable, Codable, CaseIterable {
    case microsecond, second, minute

    package var microseconds: Int64 {
        switch self {
        case .microsecond: 1
        case .second: 1_000_000
        case .minute: 60_000_000
        }
    }

    /// The beginning of the microsecond, second or minute that the time is in.
    package func floor(_ time: Timestamp) -> Timestamp {
        let remainder = time.microseconds % microseconds
        return time.advanced(byMicroseconds: -(remainder < 0 ? remainder + microseconds : remainder))
    }

    /// What a stored message carries to say so.
    package var flag: MessageFlags {
        switch self {
        case .microsecond: []
        case .second: .toTheSecond
        case .minute: .toTheMinute
        }
    }
}

extension MessageFlags {
    /// How exactly the message's source told its time.
    package var resolution: TimeResolution {
        contains(.toTheMinute) ? .minute : contains(.toTheSecond) ? .second : .microsecond
    }
}
