import SLPWire
import Testing

struct SocketEventTests {
    @Test(arguments: [
        (#"["channel",{"a":[1,2]}]"#, "channel", #"{"a":[1,2]}"#),
        (#" [ "channel" , {"a": 1} ] "#, "channel", #"{"a": 1}"#),
        (#"["two",1,"]"]"#, "two", #"1,"]""#),
        (#"["none"]"#, "none", ""),
        (#"["a\"b\\",null]"#, #"a"b\"#, "null"),
        (#"["\ubc29 ,]",0]"#, "방 ,]", "0"),
        (#"["방",0]"#, "방", "0"),
    ])
    func `an event has a name, and its arguments unchanged`(payload: String, name: String, arguments: String) {
        let event = SocketEvent(payload: Array(payload))
        #expect(event?.name == name)
        #expect(event?.arguments == Array(arguments))
    }

    @Test(arguments: [
        "", "[", "]", "[]", "{}", "[1]", #"["a""#, #""a"]"#, #"["a"#, #"["a",]"#, #"["a"b]"#, "[\"\u{7}\"]",
    ])
    func `another payload is not an event`(payload: String) {
        #expect(SocketEvent(payload: Array(payload)) == nil)
    }
}
