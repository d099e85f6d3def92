import ChatModel
import Operations
import Options
import Reading
import Rendering

extension SearchCommand {
    /// Shows all hits as they are found, in the order of `--sort`, and reports if there are none.
    ///
    /// - Returns: The number of hits.
    func showAll(
        _ operation: SearchOperation, _ run: SearchRun, _ query: MessageQuery, _ renderer: HistoryRenderer
    ) throws -> Int {
        var stream = HistoryStream(renderer, isSearch: true)
        let isNewestFirst = operation.order == .newest
        try reader.stream { write in
            let (notes, cut) = try run.pages(query) { page in
                var page = page
                if isNewestFirst { page.messages.reverse() }
                try write(stream.render(page))
            }
            let next = cut.flatMap { isNewestFirst ? $0.older : $0.newer }.map {
                (isNewestFirst ? renderer.nextCommand.older($0) : renderer.nextCommand.newer($0)) + "\n"
            }
            try write(stream.end() + Rendered(notes: notes + (next ?? "")))
        }
        if stream.messages == 0 { StandardStream.note(EmptyResult.nothingFound(folder: run.reading.folder)) }
        return stream.messages
    }
}
