package import ChatModel
package import Foundation

/// A merge in words.
package enum MergeText {
    /// Returns a line such as `alice_ (id:3) is merged into alice (id:1), 2026-11-29 10:00`.
    package static func line(_ merge: Merge, zone: TimeZone) -> String {
        let local = LocalTime(zone: zone)
        let state =
            !merge.isDone ? "; not finished, repeat the command" : merge.canBeUndone ? "" : "; can't be undone any more"
        return "\(Sanitizer.line(merge.fromName)) (id:\(merge.from)) is merged into "
            + "\(Sanitizer.line(merge.intoName)) (id:\(merge.into)), \(local.day(merge.at))\(state)"
    }
}
