extension CapabilityNegotiation {
    /// The capabilities for an archiver: times, identities, batches, history, all changes, and the account's messages
    /// from other clients of its bouncer (znc 1.8 has those without the name `echo-message`).
    package static let archiverCapabilities: Set<String> = [
        "message-tags", "server-time", "batch", "labeled-response", "echo-message", "account-tag", "account-notify",
        "extended-join", "multi-prefix", "userhost-in-names", "chghost", "setname", "invite-notify", "standard-replies",
        "cap-notify", "draft/chathistory", "draft/event-playback", "draft/message-redaction", "draft/multiline",
        "draft/channel-rename", "draft/read-marker", "znc.in/self-message", "znc.in/playback",
    ]

    /// The further capability when authentication is configured.
    package static let authentication = "sasl"
}
