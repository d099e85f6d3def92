import ChatModel

/// Notes about a conversation whose beginning or end is not shown.
enum ThreadText {
    /// Returns a line for each note; empty for a conversation that is whole.
    static func notes(_ outline: ThreadOutline) -> String {
        let limit = ThreadOutline.limit.grouped
        let root: String? =
            switch outline.rootState {
            case .found: nil
            case .missing:
                "the first message of this thread is not archived (remote id "
                    + Sanitizer.line(outline.rootRemoteID ?? "") + ")"
            case .cycle: "the replies of this thread form a cycle; its earliest message counts as the first"
            case .tooFar: "this thread goes back over more than \(limit) replies; the earlier ones are left out"
            }
        let cut = outline.isCut ? "this thread has more than \(limit) messages; the others are left out" : nil
        return [root, cut].compactMap(\.self).map { $0 + "\n" }.joined()
    }
}
