package import ChatModel
import Sessions

extension ClockReading {
    /// Of clocks that agree.
    package init(_ wall: Timestamp) {
        self.init(wall: wall, steady: .microseconds(wall.microseconds))
    }
}

extension Received {
    package init(bytes: [UInt8], at time: Timestamp, filledBuffer: Bool) {
        self.init(bytes: bytes, at: ClockReading(time), filledBuffer: filledBuffer)
    }
}
