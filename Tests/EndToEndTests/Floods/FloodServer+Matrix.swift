import Foundation

/// A homeserver with one room, `!r0:x`, but for what the flood answers itself.
extension FloodServer {
    func matrixPage(_ request: HTTPHead) -> String {
        let path = request.path
        if path.hasSuffix("/login") { return #"{"access_token":"a","user_id":"@archiver:x","device_id":"D"}"# }
        if path.hasSuffix("/joined_rooms") { return #"{"joined_rooms":["!r0:x"]}"# }
        if path.hasSuffix("/messages") { return #"{"chunk":[],"start":"p"}"# }
        guard path.hasSuffix("/sync") else { return "{}" }
        let event =
            #"{"type":"m.room.message","event_id":"$0","sender":"@al:x","origin_server_ts":1795000000000,"#
            + #""content":{"msgtype":"m.image","body":"cat","url":"mxc://x/cat"}}"#
        return #"{"next_batch":"s1","rooms":{"join":{"!r0:x":{"timeline":{"limited":true,"events":[\#(event)]}}}}}"#
    }
}
