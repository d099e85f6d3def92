/// The secrets that open an account's key backup, which are never shown.
package struct MatrixRecovery: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The text of the recovery key; nil for a passphrase.
    package var key: String?
    package var passphrase: String?

    package init(key: String?, passphrase: String? = nil) { (self.key, self.passphrase) = (key, passphrase) }

    package var description: String { "recovery" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
