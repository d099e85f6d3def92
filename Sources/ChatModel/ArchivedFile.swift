/// An archived file, as a message names it.
package struct ArchivedFile: Sendable, Hashable {
    /// The path of its bytes.
    package var path: String
    package var name: String
    package var kind: Attachment.Kind
    /// The form of a picture of a person, a room or a workspace, by its bytes; nil for a file that is no such
    /// picture.
    package var format: Picture.Format?

    package init(path: String, name: String, kind: Attachment.Kind, format: Picture.Format? = nil) {
        (self.path, self.name, self.kind, self.format) = (path, name, kind, format)
    }
}
