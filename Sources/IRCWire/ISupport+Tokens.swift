import Bytes

extension ISupport {
    /// `rfc1459` until the server says otherwise.
    package var caseMapping: CaseMapping {
        values["CASEMAPPING"].map(CaseMapping.init) ?? .rfc1459
    }

    /// The first bytes of channels' names; none at all where the server has no channels.
    package var channelTypes: [UInt8] {
        values["CHANTYPES"] ?? Array("#&")
    }

    /// The marks of members and their modes, the highest first: `(ov)@+`.
    package var prefixes: [(mode: UInt8, mark: UInt8)] {
        guard let value = values["PREFIX"] else { return Array(zip(Array("ov"), Array("@+"))) }
        let modes = value.dropFirst().prefix { $0 != UInt8(ascii: ")") }
        guard value.first == UInt8(ascii: "(") else { return [] }
        return Array(zip(modes, value[modes.endIndex...].dropFirst()))
    }

    /// What may stand before a channel to address only its members of that mark; those of PREFIX where it is not said.
    package var statusMarks: [UInt8] {
        values["STATUSMSG"] ?? prefixes.map(\.mark)
    }

    package var nickLength: Int? { values["NICKLEN"]?.number }

    /// Bytes of a line without its tags, CRLF included: 512 at least (RFC 2812 §2.3), at most what is read.
    package var lineLength: Int {
        min(max(values["LINELEN"]?.number ?? 512, 512), LineSplitter.maximumLineBytes)
    }

    /// Messages of a page of CHATHISTORY; nil where the server does not say it has any. 0 is without limit.
    package var historyLimit: Int? {
        (values["CHATHISTORY"] ?? values["DRAFT/CHATHISTORY"]).map { $0.number ?? 0 }
    }

    /// What CHATHISTORY can be asked by. Only by time where it is not said: every server with it has times.
    package var referenceTypes: Set<MessageReferenceType> {
        let types = values["MSGREFTYPES"]?.split(separator: Byte.comma) ?? []
        let known = types.compactMap { MessageReferenceType(rawValue: String(decoding: $0, as: UTF8.self)) }
        return known.isEmpty ? [.timestamp] : Set(known)
    }

    /// The server wants no pacing of ours (soju).
    package var isSafeRate: Bool { values["SOJU.IM/SAFERATE"] != nil }

    package var isUTF8Only: Bool { values["UTF8ONLY"] != nil }

    package var network: [UInt8]? { values["NETWORK"] }

    /// The four kinds of channel modes, without those of PREFIX; RFC 2811's where it is not said.
    package var channelModes: ChannelModes {
        ChannelModes(values["CHANMODES"] ?? Array("beI,k,l,imnpstaqr"))
    }

    /// How many targets JOIN takes; nil without limit. InspIRCd 3 says MAXTARGETS only, and ignores what is more.
    package var joinTargets: Int? {
        guard values["TARGMAX"] != nil else { return values["MAXTARGETS"]?.number }
        let limits = (values["TARGMAX"] ?? []).split(separator: Byte.comma)
        let join = limits.first { $0.starts(with: Array("JOIN:")) }
        return join?.dropFirst(5).number
    }
}

package enum MessageReferenceType: String, Sendable, Hashable {
    case msgid
    case timestamp
}

/// Which channel modes have a parameter, and so how a MODE is read (CHANMODES=A,B,C,D).
package struct ChannelModes: Sendable, Hashable {
    /// With a parameter always: A, lists such as bans, and B, settings.
    package let always: Set<UInt8>
    /// With a parameter only where it is set: C.
    package let whenSet: Set<UInt8>

    init(_ value: [UInt8]) {
        let kinds = value.split(separator: Byte.comma, omittingEmptySubsequences: false)
        always = Set(kinds.prefix(2).joined())
        whenSet = Set(kinds.dropFirst(2).prefix(1).joined())
    }
}
