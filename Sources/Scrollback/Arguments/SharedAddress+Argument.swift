import Archive
import Options

extension SharedAddress {
    /// Reads an argument. The parser's own conversion would repeat the text in its error, and the text may have a
    /// password.
    init(argument text: String) throws {
        do {
            try self.init(text)
        } catch {
            throw ValidationError("expected \(error.description)")
        }
    }
}
