import Operations
import Options
import Reading
import Rendering

/// Makes the answer of a tool: the document of the command, cut to what an assistant reads at once, with everything
/// invisible made visible.
enum MCPResult {
    /// The limit of an answer in bytes.
    static let limit = 32 * 1024
    /// The limit of a body in an answer with several messages, in bytes.
    private static let body = 4096
    /// The limit of the body of one message, in bytes.
    private static let longBody = 20 * 1024
    /// The limit of any other text in bytes. Names are shorter.
    private static let text = 1024

    /// Asks the operation, with a smaller limit if the answer is too large, so that its cursors are right.
    static func document(
        _ tool: MCPTool, _ arguments: MCPArguments, in reading: ArchiveReading, _ context: OperationContext
    ) throws -> JSONValue {
        var limit: Int?
        while true {
            let operation = try tool.operation.init(try arguments.parameters(limit: limit))
            let found = try operation.answer(in: reading, context).document
            let isOne = tool.operation == MessageOperation.self
            let offset = isOne ? arguments.further : 0
            var bodies = isOne ? longBody : body
            var document = shortened(found, bodies: bodies, from: offset)
            // A text of quotation marks has twice its bytes as JSON.
            while isOne, document.text.utf8.count > Self.limit, bodies > body {
                bodies /= 2
                document = shortened(found, bodies: bodies, from: offset)
            }
            let size = document.text.utf8.count
            guard tool.further == nil else { return fitting(document, tool, skipping: arguments.further) }
            let count = rows(document)
            guard size > Self.limit, count > 1, limit != 1 else { return fitting(document, tool, skipping: 0) }
            // The limit of a search counts hits, and the rows are also the messages around them. So the next limit is
            // smaller than the last one, even if it is not smaller than the rows.
            let last = limit ?? count
            limit = max(1, min(last - 1, last * Self.limit / size))
        }
    }

    /// Returns the number of messages, changes or counts.
    private static func rows(_ document: JSONValue) -> Int {
        let members = document.dictionary ?? [:]
        for key in ["messages", "changes"] {
            if case .array(let values)? = members[key] { return values.count }
        }
        return 0
    }

    // MARK: Texts

    /// Returns the value with its texts on one line and within the limits. `body` keeps its lines.
    private static func shortened(_ value: JSONValue, bodies: Int, from offset: Int) -> JSONValue {
        switch value {
        case .null, .bool, .number, .real: return value
        case .string(let text): return .string(cut(Sanitizer.line(text), Self.text).text)
        case .array(let values): return .array(values.map { shortened($0, bodies: bodies, from: offset) })
        case .object(let members):
            return .object(
                members.flatMap { member -> [JSONValue.Member] in
                    let key = Sanitizer.line(member.key)
                    if key == "matches", case .string(let body)? = members.first(where: { $0.key == "body" })?.value {
                        return [.init(key: key, value: matches(member.value, in: cut(body, bodies).text))]
                    }
                    guard key == "body", case .string(let text) = member.value else {
                        // Only the message's own body may be longer, and begins at the offset.
                        return [.init(key: key, value: shortened(member.value, bodies: self.body, from: 0))]
                    }
                    return self.body(text, limit: bodies, from: offset)
                })
        }
    }

    private static func body(_ text: String, limit: Int, from offset: Int) -> [JSONValue.Member] {
        let whole = text.utf8.count
        let start = text.utf8.index(text.startIndex, offsetBy: min(offset, whole)).alignedDown(in: text)
        let (part, isCut) = cut(String(text[start...]), limit)
        var members = [JSONValue.Member(key: "body", value: .string(Sanitizer.body(part)))]
        if isCut {
            let end = text.utf8.distance(from: text.startIndex, to: start) + part.utf8.count
            members.append(
                .init(
                    key: "truncated", value: .object(["offset": .number(Int64(end)), "length": .number(Int64(whole))])))
        }
        return members
    }

    /// Returns the places of a search's matches in the body as it is sent, those in the part alone.
    private static func matches(_ ranges: JSONValue, in part: String) -> JSONValue {
        guard case .array(let ranges) = ranges else { return ranges }
        let offsets = Sanitizer.offsetsInBody(part)
        return .array(
            ranges.compactMap { range in
                guard case .array(let ends) = range, case .number(let start)? = ends.first,
                    case .number(let end)? = ends.last, start < offsets.count - 1
                else { return nil }
                return .array([start, min(end, Int64(offsets.count - 1))].map { .number(Int64(offsets[Int($0)])) })
            })
    }

    /// Returns the start of a text, at most some bytes.
    private static func cut(_ text: String, _ limit: Int) -> (text: String, isCut: Bool) {
        guard text.utf8.count > limit else { return (text, false) }
        let end = text.utf8.index(text.startIndex, offsetBy: limit).alignedDown(in: text)
        return (String(text[..<end]), true)
    }

    // MARK: Rows

    /// Returns the document within the limit: a list from a row on, other lists shorter.
    private static func fitting(_ document: JSONValue, _ tool: MCPTool, skipping skipped: Int) -> JSONValue {
        guard tool.further?.name == "skip", case .object(var members) = document,
            let list = members.first(where: { if case .array = $0.value { true } else { false } }),
            case .array(let rows) = list.value
        else { return withShortLists(document, limit) }
        let rest = Array(rows.dropFirst(skipped))
        members = members.map { $0.key == list.key ? .init(key: list.key, value: .array([])) : $0 }
        // The other lists get at most half.
        let others = withShortLists(.object(members), limit / 2)
        var (size, count) = (others.text.utf8.count + 64, 0)
        for row in rest {
            size += row.text.utf8.count + 2
            guard size <= limit else { break }
            count += 1
        }
        let shown = JSONValue.array(Array(rest.prefix(max(count, min(rest.count, 1)))))
        if case .object(let shortened) = others {
            members = shortened.map { $0.key == list.key ? .init(key: list.key, value: shown) : $0 }
        }
        let isCut = count < rest.count
        members.append(.init(key: "next_skip", value: isCut ? .number(Int64(skipped + max(count, 1))) : .null))
        return withShortLists(.object(members), limit)
    }

    /// Leaves out half of the longest list until the document has at most so many bytes: the first half of days, the last
    /// of another list.
    private static func withShortLists(_ document: JSONValue, _ limit: Int) -> JSONValue {
        var document = document
        while document.text.utf8.count > limit, let shorter = document.withoutHalfOfLongestList() { document = shorter }
        return document
    }
}

extension JSONValue {
    /// Returns the value without half of its list with the longest text; nil if no list has two elements.
    fileprivate func withoutHalfOfLongestList() -> JSONValue? {
        guard let path = longestList()?.path else { return nil }
        return halved(at: path[...])
    }

    /// The place of the longest list with two elements or more, as indices, and its bytes.
    private func longestList() -> (path: [Int], bytes: Int)? {
        var longest: (path: [Int], bytes: Int)?
        func consider(_ index: Int, _ value: JSONValue) {
            guard let found = value.longestList(), found.bytes > longest?.bytes ?? 0 else { return }
            longest = ([index] + found.path, found.bytes)
        }
        switch self {
        case .object(let members): for (index, member) in members.enumerated() { consider(index, member.value) }
        case .array(let values):
            for (index, value) in values.enumerated() { consider(index, value) }
            let own = text.utf8.count
            // A list inside this one is shortened first if it has most of it.
            if values.count > 1, longest.map({ $0.bytes * 2 < own }) ?? true { longest = ([], own) }
        default: break
        }
        return longest
    }

    private func halved(at path: ArraySlice<Int>, keepsEnd: Bool = false) -> JSONValue {
        switch (self, path.first) {
        case (.array(let values), nil):
            return .array(Array(keepsEnd ? values.suffix(values.count / 2) : values.prefix(values.count / 2)))
        case (.array(var values), let index?):
            values[index] = values[index].halved(at: path.dropFirst())
            return .array(values)
        case (.object(var members), let index?):
            // The newest days say more than the oldest.
            members[index].value = members[index].value.halved(
                at: path.dropFirst(), keepsEnd: members[index].key == "days")
            let key = "\(members[index].key)_cut"
            if path.count == 1, !members.contains(where: { $0.key == key }) {
                members.insert(.init(key: key, value: .bool(true)), at: index + 1)
            }
            return .object(members)
        default: return self
        }
    }
}

extension String.Index {
    /// The start of the character that has the place.
    fileprivate func alignedDown(in text: String) -> String.Index {
        var place = self
        while place > text.startIndex, place.samePosition(in: text.unicodeScalars) == nil {
            place = text.utf8.index(before: place)
        }
        return place
    }
}
