import ChatModel
import MatrixWire
import Sessions

extension CallError {
    init(_ refusal: MatrixRefusal) {
        let code: Code =
            switch refusal.reaction {
            case .wait, .retry: .unavailable
            case .logIn, .stop: .needsLogin
            case .forbidden: refusal.code == "M_NOT_FOUND" ? .gone : .noPermission
            case .record: .refused
            }
        self.init(code: code, detail: "the server answered \(refusal.text)", refusal: refusal.code)
    }

    /// Reads an error of a call, below HTTP or in the answer's form.
    init(ofCall error: any Error, at server: HTTPOrigin) {
        if let error = error as? MatrixClient.TakeFailure {
            self.init(ofCall: error.reason, at: server)
        } else if let error = error as? MatrixFormError {
            self.init(code: .unexpected, detail: error.detail)
        } else {
            self.init(error, at: server)
        }
    }
}
