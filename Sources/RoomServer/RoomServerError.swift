/// The reason why the room server can't run.
package struct RoomServerError: Error {
    package enum Code: Sendable { case cannotListen, unsupportedFraming }

    package let code: Code
    /// The reason for people: "can't listen on 127.0.0.1:5080: Address already in use".
    package let detail: String
}
