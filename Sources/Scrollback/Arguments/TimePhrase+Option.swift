import ArgumentParser
import ChatModel
import Foundation
import Rendering

extension TimePhrase {
    /// Reads the value of an option.
    ///
    /// - Throws: ``ValidationError`` for a text that is not a time.
    init(option text: String, zone: TimeZone, now: Timestamp) throws {
        do {
            self = try TimePhrase(text, zone: zone, now: now)
        } catch {
            throw ValidationError(error.described(text).sentence)
        }
    }
}

extension TimePhraseError {
    /// The error in words.
    ///
    /// - Parameter text: The text that can't be read.
    func described(_ text: String) -> CommandError {
        let problem = "can't read \"\(Sanitizer.line(text))\" as a time"
        return CommandError(
            .badTime, reason.map { "\(problem): \($0)" } ?? problem,
            hint: reason == nil ? "try 2026-11-21, \"2026-11-21 06:23\", 7d or yesterday" : nil)
    }
}
