import Bytes

extension ISupport {
    /// The case mapping; `rfc1459` unless the server names another.
    package var caseMapping: CaseMapping {
        values["CASEMAPPING"].map(CaseMapping.init) ?? .rfc1459
    }

    /// The first bytes of channel names; empty for a server without channels.
    package var channelTypes: [UInt8] {
        values["CHANTYPES"] ?? Array("#&")
    }

    /// The modes of members and their marks, highest first: `(ov)@+`.
    package var prefixes: [(mode: UInt8, mark: UInt8)] {
        guard let value = values["PREFIX"] else { return Array(zip(Array("ov"), Array("@+"))) }
        let modes = value.dropFirst().prefix { $0 != UInt8(ascii: ")") }
        guard value.first == UInt8(ascii: "(") else { return [] }
        return Array(zip(modes, value[modes.endIndex...].dropFirst()))
    }

    /// The marks that, before a channel's name, address only its members with that mark; by default those of PREFIX.
    package var statusMarks: [UInt8] {
        values["STATUSMSG"] ?? prefixes.map(\.mark)
    }

    /// The longest nick in bytes; nil if unknown.
    package var nickLength: Int? { values["NICKLEN"]?.number }

    /// The longest line in bytes, without its tags and with its CRLF: at least 512 (RFC 2812 §2.3), at most the length
    /// that is read.
    package var lineLength: Int {
        min(max(values["LINELEN"]?.number ?? 512, 512), LineSplitter.maximumLineBytes)
    }

    /// The limit of messages in a page of CHATHISTORY; 0 for no limit, nil if the server doesn't announce any history.
    package var historyLimit: Int? {
        (values["CHATHISTORY"] ?? values["DRAFT/CHATHISTORY"]).map { $0.number ?? 0 }
    }

    /// The references that CHATHISTORY accepts; only times unless the server announces others, because every server
    /// with history accepts times.
    package var referenceTypes: Set<MessageReferenceType> {
        let types = values["MSGREFTYPES"]?.split(separator: Byte.comma) ?? []
        let known = types.compactMap { MessageReferenceType(rawValue: String(decoding: $0, as: UTF8.self)) }
        return known.isEmpty ? [.timestamp] : Set(known)
    }

    /// True if the server accepts lines at any rate, so that pacing is not needed (soju).
    package var isSafeRate: Bool { values["SOJU.IM/SAFERATE"] != nil }

    /// True if the server accepts only UTF-8.
    package var isUTF8Only: Bool { values["UTF8ONLY"] != nil }

    /// The network's name; nil if unknown.
    package var network: [UInt8]? { values["NETWORK"] }

    /// The four kinds of channel modes, without those of PREFIX; by default those of RFC 2811.
    package var channelModes: ChannelModes {
        ChannelModes(values["CHANMODES"] ?? Array("beI,k,l,imnpstaqr"))
    }

    /// The limit of targets in a JOIN; nil for none. InspIRCd 3 announces only MAXTARGETS, and ignores further targets.
    package var joinTargets: Int? {
        guard values["TARGMAX"] != nil else { return values["MAXTARGETS"]?.number }
        let limits = (values["TARGMAX"] ?? []).split(separator: Byte.comma)
        let join = limits.first { $0.starts(with: Array("JOIN:")) }
        return join?.dropFirst(5).number
    }
}

/// The ways to refer to a message in CHATHISTORY.
package enum MessageReferenceType: String, Sendable, Hashable {
    case msgid
    case timestamp
}

/// The channel modes with a parameter, which determine the reading of a MODE (CHANMODES=A,B,C,D).
package struct ChannelModes: Sendable, Hashable {
    /// Modes that always have a parameter: A, lists such as bans, and B, settings.
    package let always: Set<UInt8>
    /// Modes with a parameter only when they are set: C.
    package let whenSet: Set<UInt8>

    /// Reads the value of CHANMODES.
    init(_ value: [UInt8]) {
        let kinds = value.split(separator: Byte.comma, omittingEmptySubsequences: false)
        always = Set(kinds.prefix(2).joined())
        whenSet = Set(kinds.dropFirst(2).prefix(1).joined())
    }
}
