import Settings

extension AttachmentSettings {
    /// The limits of fetching.
    package var limits: AttachmentLimits {
        var limits = AttachmentLimits()
        (limits.bytes, limits.fetchesAll) = (sizeLimit, fetched == .all)
        return limits
    }
}
