package import ChatModel

/// The age of the copies in a shared archive, for people.
package enum CopyAgeText {
    /// For instance `the oldest copy in the shared archive, of account libera, is as of 2026-11-24 10:51:07, 3 s behind`.
    package static func sentence(_ copy: AccountCopyAge, zone: Zone) -> String {
        var age = "not complete yet"
        if let time = copy.caughtUpAt, let seconds = copy.seconds() {
            age = "as of \(LocalTime(zone: zone).dayAndSecond(time)), \(seconds.grouped) s behind"
        }
        return "the oldest copy in the shared archive, of account \(Sanitizer.line(copy.account)), is \(age)"
    }
}
