import ChatModel
import Rendering

/// The links of a room's page that hide joins and bots, or show them again.
struct HideTools {
    /// The page's address with its place in time.
    let address: PageAddress

    var html: HTML {
        let joins: [Choice] = [.joins, .lurkers]
        let hidden = Set(items.filter { $0.name == "hide" }.compactMap { Choice(rawValue: $0.value) })
        let shown =
            hidden.isDisjoint(with: joins)
            ? hide(.joins, "Hide joins") + hide(.lurkers, "Hide joins of lurkers") : show(joins, "Show joins")
        return shown + (hidden.contains(.bots) ? show([.bots], "Show bots") : hide(.bots, "Hide bots"))
    }

    private typealias Choice = HiddenMessages.Choice

    /// The items of the address, with one choice in each item that hides.
    private var items: [(name: String, value: String)] {
        address.items.flatMap { item in
            item.name != "hide" ? [item] : item.value.split(separator: ",").map { (name: "hide", value: String($0)) }
        }
    }

    private func hide(_ choice: Choice, _ words: String) -> HTML {
        "<a class=\"button\" href=\"\(address.with("hide", choice.rawValue))\">\(words)</a>"
    }

    private func show(_ choices: [Choice], _ words: String) -> HTML {
        let values = choices.map(\.rawValue)
        let rest = PageAddress(
            path: address.path, items: items.filter { $0.name != "hide" || !values.contains($0.value) })
        return "<a class=\"button\" href=\"\(rest.text)\">\(words)</a>"
    }
}
