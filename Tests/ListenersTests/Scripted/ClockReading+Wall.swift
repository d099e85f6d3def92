import ChatModel
import Listeners

extension ClockReading {
    /// Of clocks that agree.
    init(_ wall: Timestamp) {
        self.init(wall: wall, steady: .microseconds(wall.microseconds))
    }
}

extension Received {
    init(bytes: [UInt8], at time: Timestamp, filledBuffer: Bool) {
        self.init(bytes: bytes, at: ClockReading(time), filledBuffer: filledBuffer)
    }
}
