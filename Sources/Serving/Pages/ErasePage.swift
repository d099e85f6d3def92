import Archive
import ChatModel
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// The page that asks the owner whether to erase a room. Its form sends ``EraseRoute`` the answer.
struct ErasePage {
    let visit: PageVisit
    let key: RoomKey

    static func path(_ key: RoomKey) -> String { HTMLAddress.room(key.account, key.id) + "/erase" }

    /// Returns the link on a room's page.
    static func link(_ key: RoomKey) -> HTML {
        "<a class=\"button\" href=\"\(path(key))\">Erase the room</a>"
    }

    func response() throws -> Response {
        guard visit.mayErase else { throw Problem.notFound }
        _ = try visit.parameters([])
        let plan = try visit.site.readInPlace(as: visit.visitor) { try $0.retention.erasingPlan(of: key) }
        return visit.respond(html(plan))
    }

    /// - Parameter erased: The number of messages that are erased already; nil before the first.
    func html(_ plan: ErasingPlan, erased: Int64? = nil) -> HTML {
        let name = HTMLText.name(plan.name.isEmpty ? "(no name)" : plan.name)
        var frame = PageFrame(title: "Erase \(plan.name)")
        (frame.zone, frame.copy) = (visit.zone, visit.copy)
        return frame.page(
            """
            <main class="notice" id="main">
            <h2 class="page-title">Erase <bdi>\(name)</bdi>?</h2>
            \(erased.map { "<p>\(Int($0).of(.message)) erased so far.</p>\n" } ?? "")\
            <p><bdi>\(name)</bdi> of the account <bdi>\(HTMLText.name(plan.account))</bdi> has \(contents(plan)).</p>
            \(plan.holds.isEmpty ? form(plan, isBegun: erased != nil) : held(plan))\
            <p><a class="button" href="\(HTMLAddress.room(key.account, key.id))">Go back to the room</a></p>
            </main>

            """)
    }

    private func form(_ plan: ErasingPlan, isBegun: Bool) -> HTML {
        """
        <p>This can't be undone. Earlier backups and exports still contain the room. An import brings it back.</p>
        <form method="post" action="\(Self.path(key))">
        <input type="hidden" name="\(EraseRoute.confirmation.name)" value="1">
        <button class="main-button">\(isBegun ? "Erase the rest" : "Erase the room")</button>
        </form>

        """
    }

    private func held(_ plan: ErasingPlan) -> HTML {
        let names = plan.holds.map { "<bdi>\(HTMLText.name($0))</bdi>" as HTML }.joined(separator: ", ")
        return "<p>A hold keeps it: \(names). <code>scrollback retention release</code> removes a hold.</p>\n"
    }

    /// Returns HTML such as `12 messages (2021-03-04 to 2022-01-01) and 3 files`.
    private func contents(_ plan: ErasingPlan) -> String {
        let days = LocalTime(zone: visit.zone).days(plan.first?.time, plan.last?.time).map { " (\($0))" } ?? ""
        let files = plan.files == 0 ? "" : " and \(AttachmentText.files(Int(plan.files)))"
        return Int(plan.messages).of(.message) + days + files
    }
}
