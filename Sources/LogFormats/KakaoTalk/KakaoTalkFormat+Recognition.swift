import Bytes

extension KakaoTalkFormat {
    /// Recognises a file that begins with a title or the time of the export, with a day, or with records. In a file
    /// with KakaoTalk's name, any of the first lines may be one of these.
    package static func recognises(_ source: LogSource) -> Bool {
        let ending = source.name.suffix(4).lowercased()
        guard source.name.isEmpty || ending == ".txt" || ending == ".csv" else { return false }
        let lines = IRCLog.lines(of: source.beginning, first: 20).filter { !$0.isBlank }
        guard let first = lines.first else { return false }
        if KakaoTalkRow.isHeader(first) { return true }
        let shape = KakaoTalkShape(source.beginning)
        if KakaoTalkHeader(first) != nil {
            return shape != nil || lines.dropFirst().first.flatMap { KakaoTalkHeader($0) } != nil
        }
        guard let shape else { return false }
        if part(of: source.name) != nil || source.name.hasPrefix("KakaoTalk") { return true }
        guard let beginning = KakaoTalkLine(first, shape: shape) else { return false }
        if case .record = beginning, shape != .dated { return false }
        return lines.contains { line in
            if case .record(let record)? = KakaoTalkLine(line, shape: shape) { record.sender != nil } else { false }
        }
    }

    /// Returns the log and the number of `Talk_2026.8.7 13:01-2.txt`, or of an older name with the room:
    /// `가족 (4명)과 카카오톡 대화-2.txt`.
    package static func part(of name: String) -> (log: String, number: Int)? {
        let name = name.composed
        guard let match = name.wholeMatch(of: /(.+)-([0-9]{1,4})\.txt/), KakaoTalkHeader(title: name) != nil,
            let number = Int(match.2)
        else { return nil }
        return (String(match.1), number)
    }
}
