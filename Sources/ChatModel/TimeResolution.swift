/// The resolution of the times in a source.
package enum TimeResolution: String, Sendable, Hashable, Codable, CaseIterable {
    case microsecond, second, minute

    /// The length of one unit, in microseconds.
    package var microseconds: Int64 {
        switch self {
        case .microsecond: 1
        case .second: 1_000_000
        case .minute: 60_000_000
        }
    }

    /// Returns the beginning of the microsecond, second or minute that contains the time.
    package func floor(_ time: Timestamp) -> Timestamp {
        let remainder = time.microseconds % microseconds
        return time.advanced(byMicroseconds: -(remainder < 0 ? remainder + microseconds : remainder))
    }

    /// The flag of a stored message with this resolution; empty for microseconds.
    package var flag: MessageFlags {
        switch self {
        case .microsecond: []
        case .second: .toTheSecond
        case .minute: .toTheMinute
        }
    }
}

extension MessageFlags {
    /// The resolution of the message's time, by its flags.
    package var resolution: TimeResolution {
        contains(.toTheMinute) ? .minute : contains(.toTheSecond) ? .second : .microsecond
    }
}
