import Accounts
import Options

extension SharedAddress {
    /// Reads an argument. An option's error would repeat the text, and the text may have a password.
    init(argument text: String) throws {
        do {
            try self.init(text)
        } catch {
            throw ValidationError("expected \(error.description)")
        }
    }
}
