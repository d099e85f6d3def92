/// A picture of a person, a room or a workspace.
package struct Picture: Sendable, Hashable {
    /// A form of pictures that pages show, by the first bytes of the file.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        case png, jpeg, gif, webp

        /// The number of bytes that ``init(_:)`` needs.
        package static let beginning = 12

        /// - Parameter bytes: The first bytes of a file. Nil for a file of another form.
        package init?(_ bytes: some Collection<UInt8>) {
            func begins(_ sign: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: sign) }
            if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if begins([0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
                self = .gif
            } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
                self = .webp
            } else {
                return nil
            }
        }
    }

    /// The place on the network, and the archived bytes.
    package var file: Attachment
    /// Nil for a file that is not archived here or has another form, and if the form was not read.
    package var format: Format?

    package init(file: Attachment, format: Format? = nil) {
        (self.file, self.format) = (file, format)
    }
}
