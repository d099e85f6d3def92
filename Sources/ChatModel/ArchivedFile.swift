/// An archived file, as a message names it.
package struct ArchivedFile: Sendable, Hashable {
    /// The path of its bytes.
    package var path: String
    package var name: String
    package var kind: Attachment.Kind

    package init(path: String, name: String, kind: Attachment.Kind) {
        (self.path, self.name, self.kind) = (path, name, kind)
    }
}
