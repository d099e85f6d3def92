extension CapabilityNegotiation {
    /// What an archiver asks for: times, identities, batches, history, and to hear of every change.
    package static let archiverCapabilities: Set<String> = [
        "message-tags", "server-time", "batch", "labeled-response", "echo-message", "account-tag", "account-notify",
        "extended-join", "multi-prefix", "userhost-in-names", "chghost", "setname", "invite-notify", "standard-replies",
        "cap-notify", "draft/chathistory", "draft/event-playback", "draft/message-redaction", "draft/multiline",
        "draft/channel-rename",
    ]

    /// Asked for besides where authentication is configured.
    package static let authentication = "sasl"
}
