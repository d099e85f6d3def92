package import ChatModel
import Rendering

extension TimePhrase {
    /// Reads the value of a parameter.
    ///
    /// - Throws: ``UsageError`` for a text that is not a time.
    package init(parameter text: String, zone: Zone, now: Timestamp) throws {
        do {
            self = try TimePhrase(text, zone: zone, now: now)
        } catch {
            throw UsageError(error.described(text))
        }
    }
}

extension TimePhraseError {
    /// The error in words.
    ///
    /// - Parameter text: The text that can't be read.
    func described(_ text: String) -> OperationError {
        if let advice = TimeBounds.advice(forRange: text) {
            return OperationError(.badTime, "\"\(Sanitizer.value(text))\" is not one time", hint: advice)
        }
        let problem = "can't read \"\(Sanitizer.value(text))\" as a time"
        return OperationError(
            .badTime, reason.map { "\(problem): \($0)" } ?? problem,
            hint: reason == nil ? "try 2026-11-21, \"2026-11-21 06:23\", 7d or yesterday" : nil)
    }
}
