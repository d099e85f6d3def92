/// The lines of the demonstration and their order.
enum DemoScript {
    enum Step {
        case joins(String)
        case says(String, String)
        case leaves(String)
        /// Waits until this person sees the archiver join. A join that has arrived may still wait for the server to
        /// read it.
        case sees(String)
        /// Waits, so that the gap is long enough to be seen.
        case waits(Duration)
    }

    static let first: [Step] = [.joins("alice"), .joins("bob")]

    static let morning: [Step] = [
        .sees("alice"),
        .says("alice", "good morning! is this room kept anywhere?"),
        .says("bob", "it is now :)"),
        .joins("민수"),
        .says("민수", "안녕하세요 👋 오늘 몇 시에 시작해요?"),
        .says("alice", "at ten. slides are at https://example.org/slides"),
        .joins("さくら"),
        .says("さくら", "おはようございます、少し遅れました"),
        .says("bob", "no worries. in C++ that would be std::vector<int>::iterator"),
        .says("민수", "콜론 두 개(::)도 그대로 저장되나요?"),
        .says("bob", "try a::b and see"),
        .says("さくら", "家族 👨‍👩‍👧‍👦 も一文字です"),
        .says("alice", "back in five ☕️"),
    ]

    /// The lines that are sent while no listener runs. StreamChat has no history, so a listener can't fetch them later.
    static let missed: [Step] = [
        .says("bob", "psst, is the archiver away?"),
        .waits(.seconds(1)),
    ]

    static let afternoon: [Step] = [
        .sees("alice"),
        .says("alice", "I'm back, what did I miss?"),
        .says("민수", "별일 없었어요 ㅎㅎ"),
        .says("さくら", "では、また明日 🌸"),
        .leaves("さくら"),
        .says("bob", "bye! 또 봐요"),
    ]

    static func messages(_ steps: [Step]) -> [Message] {
        steps.compactMap { step in
            if case .says(let name, let text) = step { Message(name: name, text: text) } else { nil }
        }
    }

    struct Message: Sendable, Hashable {
        var name: String
        var text: String
    }
}
