import SLPWire
import Sessions

extension CallError {
    /// Reads a refusal of a file. For a missing file, some servers answer that it is gone, others that they know no
    /// such address.
    init(ofFile refusal: SLPRefusal) {
        let isGone =
            refusal.code.map { ["E13", "E97"].contains($0) } ?? [404, 410].contains(refusal.status)
        if isGone {
            self.init(code: .gone, detail: "the server answered \(refusal.description)")
        } else if refusal.code == nil, (300..<400).contains(refusal.status) {
            self.init(code: .foreignOrigin, detail: "the service redirects to another address")
        } else {
            self.init(refusal)
        }
    }

    init(_ refusal: SLPRefusal) {
        let code: Code =
            switch refusal.reaction {
            case .stopAccount: .accountStopped
            case .logIn, .refresh: .needsLogin
            case .markGone: .gone
            case .noPermission: .noPermission
            case .slowDown: .tooManyCalls
            case .retry: .unavailable
            case .keepToken, .record: .refused
            }
        let isRedirect = refusal.code == nil && (300..<400).contains(refusal.status)
        let advice = isRedirect ? ": it redirects; configure the address that it redirects to" : ""
        self.init(code: code, detail: "the server answered \(refusal.description)\(advice)")
    }
}
