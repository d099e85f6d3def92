import Options

/// The argument that names a room.
enum RoomArgumentHelp {
    static let room = ArgumentHelp(
        "A room: NAME, ACCOUNT/NAME, id or a unique part of the name. Quote # in a shell, or leave it out.",
        valueName: "room")
}
