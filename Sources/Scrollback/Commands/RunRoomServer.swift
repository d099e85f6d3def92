import Logging

/// Serves until interrupted. The one place that knows the room server's own types.
func runRoomServer(
    host: String, port: Int, framing: RoomServerFraming, revision: StreamChatSettings.Revision, logger: Logger
) async throws {
    throw CommandError("the room server is not part of this build", hint: nil)
}
