import AsyncHTTPClient
import MatrixWire
import NIOSSL

/// The reason why a call to a homeserver failed.
package struct MatrixError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Only a person can correct the login.
        case needsLogin
        /// The room or event can't be read.
        case forbidden
        /// The server refused this call.
        case refused
        /// The server could not be reached, was too slow or failed.
        case unavailable
        /// The answer broke off or is too large.
        case cut, tooLarge
        /// The answer does not have the protocol's form.
        case unexpected
    }

    package var code: Code
    /// A sentence for people, without secrets.
    package var detail: String
    /// The code of the server's answer; nil if there was none.
    var refusal: String?

    init(_ code: Code, _ detail: String, refusal: String? = nil) {
        (self.code, self.detail, self.refusal) = (code, detail, refusal)
    }

    init(_ refusal: MatrixRefusal) {
        let code: Code =
            switch refusal.reaction {
            case .wait, .retry: .unavailable
            case .logIn, .stop: .needsLogin
            case .forbidden: .forbidden
            case .record: .refused
            }
        self.init(code, "the server answered \(refusal.text)", refusal: refusal.code)
    }

    init(_ error: HTTPBodyError) {
        switch error {
        case .cut: self.init(.cut, error.detail)
        case .tooLarge: self.init(.tooLarge, error.detail)
        }
    }

    /// Reads an error from below HTTP.
    init(_ error: any Error, at server: MatrixOrigin) {
        if let error = error as? MatrixError {
            self = error
        } else if let error = error as? MatrixFormError {
            self.init(.unexpected, error.detail)
        } else {
            // The same words for the same mistakes of a connection.
            self.init(.unavailable, SLPError(error, at: server).detail)
        }
    }

    package var description: String { detail }
}
