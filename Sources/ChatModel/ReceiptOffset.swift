/// The difference between an account's times of receipt and this machine's clocks.
package struct ReceiptOffset: Sendable, Hashable {
    /// The microseconds by which times of receipt are ahead of the wall clock. Above 0 after the wall clock had been
    /// ahead, because times of receipt never go back.
    package var ahead: Int64
    /// The time of receipt at which this machine started. The time since the start, added to it, is the present time of
    /// receipt.
    package var bootedAt: Timestamp?
    /// The kernel's id of that start; nil if it has none.
    package var boot: String?

    package init(ahead: Int64 = 0, bootedAt: Timestamp? = nil, boot: String? = nil) {
        (self.ahead, self.bootedAt, self.boot) = (ahead, bootedAt, boot)
    }
}

/// The latest stored time of receipt.
package struct StoredReceipt: Sendable, Hashable {
    package var time: Timestamp
    package var offset: ReceiptOffset

    package init(_ time: Timestamp, offset: ReceiptOffset = ReceiptOffset()) {
        (self.time, self.offset) = (time, offset)
    }
}
