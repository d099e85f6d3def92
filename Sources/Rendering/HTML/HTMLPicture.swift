package import ChatModel

/// A small round picture of a person, a room or a workspace; nothing if its bytes are not here or not a picture.
///
/// The name stands beside it, so it has no words of its own.
package struct HTMLPicture {
    private let picture: Picture?
    private let place: HTMLPlace
    private let copy: String?

    /// - Parameter copy: The address of a copy for a page that is read without a server, safe in an attribute's quotes; nil
    ///   for none.
    package init(_ picture: Picture?, place: HTMLPlace = .server(hasAccounts: false), copy: String? = nil) {
        (self.picture, self.place, self.copy) = (picture, place, copy)
    }

    package var html: HTML {
        guard let address else { return "" }
        return "<img class=\"face\" src=\"\(address)\" alt=\"\" width=\"20\" height=\"20\" loading=\"lazy\" "
            + "decoding=\"async\">"
    }

    private var address: String? {
        guard let picture, picture.format != nil, let hash = picture.file.sha256 else { return nil }
        return place == .file ? copy : HTMLAddress.file(hash)
    }
}
