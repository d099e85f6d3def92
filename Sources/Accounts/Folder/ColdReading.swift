/// The way in which cold accounts, which are compressed, are read.
package enum ColdReading: Sendable {
    /// A cold account that is read alone becomes hot. If several accounts are read, the cold ones are skipped.
    case alone
    /// If several accounts are read, the cold ones are read from private copies in TMPDIR, one at a time.
    case several
    /// Every cold account is read from such a copy, also one that is read alone. Only writing makes it hot.
    case copies
}
