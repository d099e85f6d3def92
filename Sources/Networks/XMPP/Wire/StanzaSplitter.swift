import CExpat

/// Cuts a stream into stanzas as its bytes come, in pieces of any size (RFC 6120 §4).
///
/// expat finds the elements, without its support for namespaces: it ends at a prefix that nothing declares, and such
/// stanzas come (ejabberd 23.01). ``ElementBuilder`` resolves prefixes.
///
/// `@unchecked`: one task has the splitter, the one that reads the connection.
package final class StanzaSplitter: @unchecked Sendable {
    /// A part of a stream.
    package enum Unit: Sendable, Hashable {
        /// The stream's header, with its attributes.
        case opened([String: String])
        case stanza(ReceivedStanza)
        /// The end of the stream, after which nothing comes.
        case closed
    }

    /// The bounds of what a peer may send.
    package struct Limits: Sendable {
        /// Servers accept stanzas of 256 KiB from clients (Prosody 0.12, ejabberd 23.01), and add little to them. This is
        /// 16 times as much.
        package var stanzaBytes = 4 * 1024 * 1024
        package var element = ElementBuilder.Limits()

        package init() {}
    }

    private let parser: XML_Parser?
    private let limits: Limits
    private var builder: ElementBuilder
    private var depth = 0
    private var units: [Unit] = []
    private var failure: String?
    /// The received bytes from the place `keptFrom` of the stream on.
    private var kept: [UInt8] = []
    private var keptFrom = 0
    /// The place of the present stanza's first byte; nil between two stanzas.
    private var begin: Int?
    /// The place after the last part that expat has found. What follows may be the beginning of another one.
    private var foundTo = 0

    package init(limits: Limits = Limits()) {
        self.limits = limits
        builder = ElementBuilder(limits: limits.element)
        parser = XML_ParserCreate("UTF-8")
        guard let parser else { return }
        XML_ReportAtOnce(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        setHandlers(parser)
    }

    deinit {
        if let parser { XML_ParserFree(parser) }
    }

    /// Takes the next bytes.
    ///
    /// - Returns: The parts of the stream that are complete now, and the reason why nothing can follow; nil while the
    ///   stream continues.
    package func split(_ bytes: [UInt8]) -> (units: [Unit], failure: String?) {
        guard failure == nil else { return ([], failure) }
        kept += bytes
        // XML_Parse takes 32-bit lengths.
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) where failure == nil {
            parse(bytes[start..<min(start + 1 << 20, bytes.count)])
        }
        dropHandled()
        if failure == nil, kept.count > limits.stanzaBytes {
            failure = "the server sent an element of more than \(limits.stanzaBytes) bytes"
        }
        defer { units = [] }
        return (units, failure)
    }

    /// True if no stanza has begun that has not ended.
    package var isBetweenStanzas: Bool { begin == nil && kept.isEmpty }

    private func parse(_ bytes: ArraySlice<UInt8>) {
        guard let parser else { return failure = "no memory for reading XML" }
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), 0)
        }
        guard status != XML_STATUS_OK, failure == nil else { return }
        let code = XML_GetErrorCode(parser)
        let words = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        failure = "the server sent invalid XML: \(words)"
    }

    /// Forgets the bytes before the present stanza, or, between two stanzas, before the part that has not ended.
    private func dropHandled() {
        let end = min(max(begin ?? foundTo, keptFrom), keptFrom + kept.count)
        kept.removeFirst(end - keptFrom)
        keptFrom = end
    }

    private func setHandlers(_ parser: XML_Parser) {
        XML_SetElementHandler(
            parser, { StanzaSplitter.of($0)?.began($1, $2) }, { context, _ in StanzaSplitter.of(context)?.ended() })
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let text else { return }
            StanzaSplitter.of(context)?.said(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        // RFC 6120 §11.1 forbids all of these.
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in StanzaSplitter.of(context)?.stop("a DTD") }
        XML_SetProcessingInstructionHandler(parser) { context, _, _ in
            StanzaSplitter.of(context)?.stop("a processing instruction")
        }
        XML_SetCommentHandler(parser) { context, _ in StanzaSplitter.of(context)?.stop("a comment") }
    }

    /// Returns the splitter that a handler belongs to, and notes the place that the handler has reached.
    private static func of(_ context: UnsafeMutableRawPointer?) -> StanzaSplitter? {
        let splitter = context.map { Unmanaged<StanzaSplitter>.fromOpaque($0).takeUnretainedValue() }
        if let splitter, let parser = splitter.parser {
            splitter.foundTo = XML_GetCurrentByteIndex(parser) + Int(XML_GetCurrentByteCount(parser))
        }
        return splitter
    }

    private func stop(_ what: String) {
        failure = failure ?? "the server sent \(what), which XMPP forbids"
        if let parser { XML_StopParser(parser, 0) }
    }

    private func began(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard failure == nil, let name else { return }
        depth += 1
        if depth == 2, let parser { begin = XML_GetCurrentByteIndex(parser) }
        var (pairs, place) = ([(name: String, value: String)](), 0)
        while let attributes, let key = attributes[place], let value = attributes[place + 1] {
            pairs.append((String(cString: key), String(cString: value)))
            place += 2
        }
        guard depth == 1 else { return builder.begin(String(cString: name), pairs, depth: depth) }
        let root = builder.root(String(cString: name), pairs)
        guard root.is("stream", XMPPNamespace.streams) else {
            return stop("<\(root.name)> in place of a stream")
        }
        units.append(.opened(root.attributes))
    }

    private func ended() {
        guard failure == nil, let parser else { return }
        depth -= 1
        guard depth <= 1 else { return builder.end() }
        guard depth == 1, let begin else { return units.append(.closed) }
        let end = XML_GetCurrentByteIndex(parser) + Int(XML_GetCurrentByteCount(parser))
        guard begin >= keptFrom, begin <= end, end <= keptFrom + kept.count else {
            return stop("a stanza whose place is unknown")
        }
        let raw = Array(kept[(begin - keptFrom)..<(end - keptFrom)])
        self.begin = nil
        units.append(.stanza(ReceivedStanza(content: builder.finish(), raw: raw)))
        if raw.count > limits.stanzaBytes { stop("a stanza of \(raw.count) bytes") }
    }

    private func said(_ text: UnsafeRawBufferPointer) {
        guard failure == nil, depth > 1 else { return }
        builder.add(String(decoding: text, as: UTF8.self))
    }
}

/// A stanza, or another element directly in the stream.
package struct ReceivedStanza: Sendable, Hashable {
    /// The reason why an element can't be read.
    package struct Unreadable: Error, Hashable {
        package var reason: String
        /// The part of the element that was read before it broke a limit; nil if that was its beginning.
        package var outline: XMPPElement?
    }

    package var content: Result<XMPPElement, Unreadable>
    /// The bytes as the server sent them.
    package var raw: [UInt8]

    package init(content: Result<XMPPElement, Unreadable>, raw: [UInt8]) {
        (self.content, self.raw) = (content, raw)
    }
}
