package import ChatModel

/// A small round picture of a person, a room or a workspace; nothing if its bytes are not here or not a picture.
///
/// The name stands beside it, so it has no words of its own.
package struct HTMLPicture {
    private let picture: Picture?
    private let place: HTMLPlace

    package init(_ picture: Picture?, place: HTMLPlace = .server(hasAccounts: false)) {
        (self.picture, self.place) = (picture, place)
    }

    package var html: String {
        guard place != .file, let picture, picture.format != nil, let hash = picture.file.sha256 else { return "" }
        return
            "<img class=\"face\" src=\"\(HTMLAddress.file(hash))\" alt=\"\" width=\"20\" height=\"20\" loading=\"lazy\" "
            + "decoding=\"async\">"
    }
}
