import ChatModel
import Rendering

/// The month on the screen.
extension MonthView {
    /// Returns a calendar with the number of messages of each day.
    func lines(columns: Int) -> [ScreenLine] {
        let width = max(3, min(11, columns / 7))
        var heading = ScreenLine()
        for (index, name) in ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].enumerated() {
            heading.add(name, at: index * width, .dim)
        }
        var (lines, line, column) = ([heading], ScreenLine(), firstWeekday)
        for (offset, day) in days.enumerated() {
            let count = self.count(day)
            var style: CellStyle = count?.messages ?? 0 > 0 ? .bold : .dim
            style.isReversed = day == selected
            line.add(DisplayWidth.pad("\(offset + 1)", to: 2, .right), at: column * width, style)
            let number = count.flatMap { $0.messages > 0 ? Self.short($0.messages, to: width - 4) : nil } ?? ""
            line.add(number, at: line.width + 1, .dim)
            column += 1
            if column == 7 {
                lines.append(line)
                (line, column) = (ScreenLine(), 0)
            }
        }
        if column > 0 { lines.append(line) }
        return (lines + [ScreenLine(), ScreenLine(dayText, .plain)]).map { $0.cut(to: columns) }
    }

    /// The number of messages of the selected day in words.
    private var dayText: String {
        let day = CivilDay.name(of: selected)
        guard let count = self.count(selected) else { return day }
        let complete = count.isComplete == true ? "complete" : count.isComplete == false ? "not complete" : "so far"
        return "\(day): \(Int(count.messages).of(.message)), \(complete)"
    }

    /// Returns a number that fits the cells, such as `1,204`, `12k` or `3M`; empty if none fits.
    private static func short(_ number: Int64, to width: Int) -> String {
        let forms = [number.grouped, "\(number)", "\(number / 1000)k", "\(number / 1_000_000)M"]
        return forms.first { $0.count <= width && !$0.hasPrefix("0") } ?? ""
    }
}
