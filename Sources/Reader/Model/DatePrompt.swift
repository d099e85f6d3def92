import ChatModel
import Operations
import Rendering

/// A date that is typed, in any form that `--day` and `--around` take.
struct DatePrompt: Sendable, Hashable {
    private(set) var input = LineInput()

    /// The result of a key.
    enum Result: Sendable, Hashable {
        case stay, close
        case open(MessageID)
        /// The date can't be read: one sentence.
        case failed(String)
    }

    /// Handles a key.
    mutating func press(_ key: ReaderKey, zone: Zone, now: Timestamp) -> Result {
        switch key {
        case .escape, .control("c"): return .close
        case .enter where input.text.allSatisfy({ $0 == " " }): return .close
        case .enter:
            do {
                return .open(try TimePhrase(parameter: input.text, zone: zone, now: now).start)
            } catch {
                return .failed(Sanitizer.line("\(error)"))
            }
        default:
            _ = input.press(key)
            return .stay
        }
    }
}
