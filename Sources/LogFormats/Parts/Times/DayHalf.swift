/// The half of the day that a clock of 12 hours shows; none for a clock of 24 hours.
enum DayHalf {
    case none, morning, afternoon
    /// From the evening until six in the morning.
    case night

    /// The words of phones in WhatsApp's languages (CLDR 48, abbreviated periods of the day), and older ones.
    private static let mornings: Set<String> = [
        "am", "오전", "午前", "上午", "上晝", "早上", "凌晨", "清晨", "πμ", "ص", "sa", "öö", "de", "fm", "pg", "قظ", "dop",
        "pd", "дп", "ap", "vm", "претпл", "priešpiet", "to", "dopol",
        "inthemorning", "midnight",
    ]
    private static let afternoons: Set<String> = [
        "pm", "오후", "午後", "下午", "下晝", "晚上", "中午", "μμ", "م", "ch", "ös", "du", "em", "ptg", "بظ", "odp", "pop",
        "md", "пп", "ip", "nm", "попл", "popiet", "tk", "odpol",
        "intheafternoon", "intheevening", "noon",
    ]
    /// Words before a time of 24 hours: Finnish, Danish, English, German, French.
    private static let others: Set<String> = ["", "klo", "kl", "at", "um", "à"]

    /// Nil for an unknown word.
    init?(_ word: String) {
        let word = word.lowercased().filter { $0 != "." && $0 != " " }
        if Self.others.contains(word) {
            self = .none
        } else if Self.mornings.contains(word) {
            self = .morning
        } else if Self.afternoons.contains(word) {
            self = .afternoon
        } else if word == "atnight" {
            self = .night
        } else {
            return nil
        }
    }

    /// Returns the hour from 0 to 23; nil for an hour that such a clock doesn't show.
    ///
    /// - Parameter most: 24 for the clocks of phones, some of which show the first hour of a day as 24.
    func hour(_ shown: Int, most: Int = 23) -> Int? {
        switch self {
        case .none: shown <= most ? shown % 24 : nil
        case .morning: shown <= 12 ? shown % 12 : nil
        case .afternoon: shown <= 12 ? shown % 12 + 12 : nil
        case .night: shown <= 12 ? (shown % 12 < 6 ? shown % 12 : shown + 12) : nil
        }
    }
}
