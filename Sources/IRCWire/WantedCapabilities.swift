extension CapabilityNegotiation {
    /// What an archiver asks for: times, identities, batches, history, to hear of every change, and what the account says to
    /// somebody by another client of its bouncer (znc 1.8 has that without `echo-message`'s name).
    package static let archiverCapabilities: Set<String> = [
        "message-tags", "server-time", "batch", "labeled-response", "echo-message", "account-tag", "account-notify",
        "extended-join", "multi-prefix", "userhost-in-names", "chghost", "setname", "invite-notify", "standard-replies",
        "cap-notify", "draft/chathistory", "draft/event-playback", "draft/message-redaction", "draft/multiline",
        "draft/channel-rename", "znc.in/self-message",
    ]

    /// Asked for besides where authentication is configured.
    package static let authentication = "sasl"
}
