/// How an account's times of receipt differ from this machine's clocks.
package struct ReceiptOffset: Sendable, Hashable {
    /// Microseconds by which times of receipt are ahead of the wall clock. Above 0 after the wall clock was ahead: times of
    /// receipt never go back.
    package var ahead: Int64
    /// The start of this machine, as a time of receipt: adding the time since the start gives the time of receipt of now.
    package var bootedAt: Timestamp?
    /// The kernel's id of that start; nil where it has none.
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
