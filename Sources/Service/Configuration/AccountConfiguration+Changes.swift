extension AccountConfiguration {
    /// - Precondition: both are of one account.
    func changedKeys(to new: AccountConfiguration) -> ChangedKeys {
        var keys =
            switch (network, new.network) {
            case (.irc(let old), .irc(let new)): old.changedKeys(to: new)
            case (.slp(let old), .slp(let new)): old.changedKeys(to: new)
            case (.streamChat(let old), .streamChat(let new)): old.changedKeys(to: new)
            default: ChangedKeys(fixed: ["network"])
            }
        if rawKeep != new.rawKeep { keys.live.append("raw_keep") }
        return keys
    }
}

extension IRCSettings: ComparedSettings {
    static let liveKeys: [ComparedKey<Self>] = [
        .init("rooms", \.rooms), .init("join", \.join), .init("alternative_nicks", \.alternatives),
        // Of these a key counts at once, and not from the next login on.
        .init("channel_keys_file", \.channelKeys), .init("redacted", \.redacted),
        .init("fallback_encoding", \.fallback), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes), .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("server_password_file", \.serverPassword, isSame: Secret.isInPlace),
        .init("history_days", \.historyDays),
    ]

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("user", \.user), .init("real_name", \.realName),
        .init("sasl", \.sasl), .init("sasl_user", \.saslUser),
        .init("password_file", \.password, isSame: Secret.isThere),
        .init("server_password_file", \.serverPassword, isSame: Secret.isThere),
        .init("ca_file", \.tls.authorities), .init("fingerprint", \.tls.fingerprint),
        .init("certificate_file", \.tls.certificate), .init("key_file", \.tls.key),
    ]
}

extension SLPSettings: ComparedSettings {
    static let liveKeys: [ComparedKey<Self>] = [
        .init("channels", \.channels), .init("attachments", \.attachments), .init("check_minutes", \.checkInterval),
        .init("sign_of_life_seconds", \.signOfLifeInterval), .init("buffer_bytes", \.bufferBytes),
        .init("password_file", \.password, isSame: Secret.isInPlace),
        .init("app_key_file", \.appKey, isSame: Secret.isInPlace),
    ]

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("email", \.email),
        .init("password_file", \.password, isSame: Secret.isThere), .init("ca_file", \.authorities),
        .init("generation", \.generation), .init("attachment_size_limit", \.attachmentSizeLimit),
    ]
}

extension StreamChatSettings: ComparedSettings {
    static let liveKeys: [ComparedKey<Self>] = []

    static let fixedKeys: [ComparedKey<Self>] = [
        .init("server", \.server), .init("nick", \.nick), .init("room", \.room), .init("framing", \.framing),
        .init("revision", \.revision), .init("continuation_ms", \.continuation),
        .init("max_unit_bytes", \.maximumUnitBytes), .init("sign_of_life_seconds", \.signOfLifeInterval),
        .init("buffer_bytes", \.bufferBytes),
    ]
}
