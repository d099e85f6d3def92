import Bytes

/// The reason why a message can't be sent.
package struct IRCWriteError: Error, Hashable {
    package enum Code: Sendable { case invalidVerb, invalidSource, invalidTag, invalidParam, tagsTooLong, lineTooLong }

    package let code: Code
    /// The reason for people: "parameter 2 of JOIN contains a space".
    package let detail: String
}

extension IRCMessage {
    /// The limits of a line.
    package struct Limits: Sendable, Hashable {
        /// The limit of a client's tags in bytes, without `@` and the space after them (IRCv3 message-tags, "Size
        /// limit").
        package var tagBytes = 4094
        /// The limit of the rest of the line in bytes, with its CRLF: 512 (RFC 2812 §2.3), or LINELEN.
        package var lineBytes = 512

        package init() {}

        /// The limits for a server: 8,191 bytes of tags with the `@` and the space.
        package static let server: Self = {
            var limits = Self()
            limits.tagBytes = 8189
            return limits
        }()
    }

    /// Returns the line with its CRLF, in one canonical form: tags sorted by key, and a colon only where it is needed.
    package func encoded(limits: Limits = Limits()) throws(IRCWriteError) -> [UInt8] {
        let tags = try encodedTags()
        guard tags.count <= limits.tagBytes else {
            throw IRCWriteError(
                code: .tagsTooLong,
                detail: "the tags of \(verb) have \(tags.count) bytes, more than the limit of \(limits.tagBytes)")
        }
        let line = try encodedSource() + encodedVerb() + encodedParams() + [Byte.carriageReturn, Byte.lineFeed]
        guard line.count <= limits.lineBytes else {
            throw IRCWriteError(
                code: .lineTooLong,
                detail: "the line of \(verb) has \(line.count) bytes, more than the limit of \(limits.lineBytes)")
        }
        return (tags.isEmpty ? [] : [Byte.at] + tags + [Byte.space]) + line
    }

    private func encodedTags() throws(IRCWriteError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (key, value) in tags.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let isKey = !key.contains {
                $0 == Byte.semicolon || $0 == Byte.equals || $0 == Byte.space || Byte.endsLine($0)
            }
            guard !key.isEmpty, isKey, !value.contains(Byte.nul) else {
                throw IRCWriteError(code: .invalidTag, detail: "a tag of \(verb) has an invalid byte")
            }
            if !bytes.isEmpty { bytes.append(Byte.semicolon) }
            // Omits `=`, because a tag that came without a value would otherwise exceed the limits (IRCv3
            // message-tags).
            bytes += key + (value.isEmpty ? [] : [Byte.equals] + TagValue.escape(value))
        }
        return bytes
    }

    private func encodedSource() throws(IRCWriteError) -> [UInt8] {
        guard let source else { return [] }
        guard !source.bytes.isEmpty, !source.bytes.contains(where: { $0 == Byte.space || Byte.endsLine($0) }) else {
            throw IRCWriteError(
                code: .invalidSource,
                detail: "the sender of the IRC message \(verb) is empty, or contains a space or a line break")
        }
        return [Byte.colon] + source.bytes + [Byte.space]
    }

    private func encodedVerb() throws(IRCWriteError) -> [UInt8] {
        let bytes = Array(verb)
        guard !bytes.isEmpty, bytes.visibleASCII != nil, bytes.first != Byte.colon, bytes.first != Byte.at else {
            throw IRCWriteError(code: .invalidVerb, detail: "\"\(verb)\" is not a command")
        }
        return bytes
    }

    private func encodedParams() throws(IRCWriteError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, param) in params.enumerated() {
            let needsColon = param.isEmpty || param.first == Byte.colon || param.contains(Byte.space)
            guard !param.contains(where: Byte.endsLine) else { throw invalid(index, "contains a NUL or a line end") }
            guard !needsColon || index == params.count - 1 else {
                throw invalid(index, "is empty, has a space or begins with a colon, and is not the last")
            }
            bytes += (needsColon ? [Byte.space, Byte.colon] : [Byte.space]) + param
        }
        return bytes
    }

    private func invalid(_ index: Int, _ what: String) -> IRCWriteError {
        IRCWriteError(code: .invalidParam, detail: "parameter \(index + 1) of \(verb) \(what)")
    }
}
