import Bytes
import ChatModel

/// A time of day as phones write it, on a clock of 12 or 24 hours: `오전 9:00`, `9:00 AM`, `上午09:46`, `12:08AM`,
/// `20:36:59`.
struct DialTime: Hashable {
    /// The time since midnight.
    let seconds: Int
    let resolution: TimeResolution

    /// Takes a time from the beginning of the bytes. Takes nothing if there is no time, or no clock shows it.
    init?(taking scanner: inout ByteScanner) {
        var copy = scanner
        let before = copy.dayHalf()
        if before != nil { copy.takeSpaces() }
        guard let shown = copy.number(upTo: 2), copy.take(Byte.colon), let minute = copy.number(of: 2), minute < 60
        else {
            return nil
        }
        let second = copy.second()
        let half = before ?? copy.dayHalfAfterSpaces() ?? DayHalf.none
        guard let hour = half.hour(shown, most: 24) else { return nil }
        scanner = copy
        seconds = hour * 3600 + minute * 60 + (second ?? 0)
        resolution = second == nil ? .minute : .second
    }
}

extension ByteScanner {
    /// Takes `:59`. The second may be 60.
    fileprivate mutating func second() -> Int? {
        var copy = self
        guard copy.take(Byte.colon), let second = copy.number(of: 2), second <= 60 else { return nil }
        self = copy
        return second
    }

    fileprivate mutating func dayHalfAfterSpaces() -> DayHalf? {
        var copy = self
        copy.takeSpaces()
        guard let half = copy.dayHalf() else { return nil }
        self = copy
        return half
    }

    /// Takes the word for the half of the day: in Korean, Japanese, Chinese, or `AM`, `pm`, `p.m.`.
    fileprivate mutating func dayHalf() -> DayHalf? {
        switch rest.first {
        case 0xEC: take("오전") ? .morning : take("오후") ? .afternoon : nil
        case 0xE4: take("上午") ? .morning : take("下午") || take("中午") ? .afternoon : nil
        case 0xE5: take("午前") || take("凌晨") ? .morning : take("午後") ? .afternoon : nil
        case 0xE6: take("早上") ? .morning : take("晚上") ? .afternoon : nil
        case let first?: latinDayHalf(first | 0x20)
        case nil: nil
        }
    }

    private mutating func latinDayHalf(_ first: UInt8) -> DayHalf? {
        guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else { return nil }
        var copy = self
        let word = copy.take(atMost: 4) { Byte.isLetter($0) || $0 == Byte.dot }
        // A full stop (0x2E) does not change when the bit of lower case is set. No letter may follow, as in `AMY`.
        let ends = ["m", ".m."].contains { $0.utf8.elementsEqual(word.dropFirst().lazy.map { $0 | 0x20 }) }
        guard ends, !(copy.rest.first.map(Byte.isLetter) ?? false) else { return nil }
        self = copy
        return first == UInt8(ascii: "a") ? .morning : .afternoon
    }
}
