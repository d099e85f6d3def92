import ChatModel
import Options
import Rendering

extension Zone {
    /// Reads the value of `--timezone`.
    ///
    /// - Throws: ``ValidationError``
    init(argument name: String) throws {
        guard let zone = Zone(named: name) else {
            let help =
                Zone.hasFiles
                ? "; give one as Europe/Berlin, UTC or +09:00"
                : ", because this system has no \(Sanitizer.line(Zone.folder)); install tzdata, or give UTC or +09:00"
            throw ValidationError("no time zone \"\(Sanitizer.line(name))\"\(help)")
        }
        self = zone
    }

    /// Reads `Europe/Berlin`, `UTC` or `+09:00`.
    private init?(named name: String) {
        if let match = name.wholeMatch(of: /([+-])([0-9]{2}):?([0-9]{2})/),
            let hours = Int(match.2), let minutes = Int(match.3)
        {
            guard hours <= 18, minutes < 60 else { return nil }
            self.init(secondsFromGMT: (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        } else {
            self.init(identifier: name)
        }
    }
}
