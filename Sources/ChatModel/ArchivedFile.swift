/// An archived file, as a message names it.
package struct ArchivedFile: Sendable, Hashable {
    /// The path of its bytes.
    package var path: String
    package var name: String
    package var kind: Attachment.Kind
    /// The form of a picture of a person, a room or a workspace, by its bytes; nil for a file that is no such
    /// picture.
    package var format: Picture.Format?
    /// True if no message names the file, so that its name says nothing about its bytes.
    package var isPicture: Bool

    package init(
        path: String, name: String, kind: Attachment.Kind, format: Picture.Format? = nil, isPicture: Bool = false
    ) {
        (self.path, self.name, self.kind) = (path, name, kind)
        (self.format, self.isPicture) = (format, isPicture)
    }
}
