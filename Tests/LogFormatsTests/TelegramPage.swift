/// Pages as Telegram Desktop writes them for browsers.
enum TelegramPage {
    static func page(_ messages: String, name: String = "Example") -> String {
        """
        <!DOCTYPE html>
        <html>

         <head>

          <meta charset="utf-8"/>
        <title>Exported Data</title>
          <link href="css/style.css" rel="stylesheet"/>

         </head>

         <body onload="CheckLocation();">

          <div class="page_wrap">

           <div class="page_header">

            <div class="content">

             <div class="text bold">
        \(name)
             </div>

            </div>

           </div>

           <div class="page_body chat_page">

            <div class="history">
        \(messages)
            </div>

           </div>

          </div>

         </body>

        </html>
        """
    }

    static func message(
        _ id: Int, _ content: String, from name: String? = "alice", at date: String = "21.11.2026 15:23:11 UTC+09:00"
    ) -> String {
        let sender = name.map { "\n\n       <div class=\"from_name\">\n\($0) \n       </div>\n" } ?? ""
        let userpic = """
            <div class="pull_left userpic_wrap">

                   <div class="userpic userpic1" style="width: 42px; height: 42px">

                    <div class="initials" style="line-height: 42px">
            a
                    </div>

                   </div>

                  </div>

            """
        return """

                 <div class="message default clearfix\(name == nil ? " joined" : "")" id="message\(id)">

                  \(name == nil ? "" : userpic)
                  <div class="body">

                   <div class="pull_right date details" title="\(date)">
            15:23
                   </div>
            \(sender)
            \(content)

                  </div>

                 </div>

            """
    }

    static func text(_ text: String) -> String { "\n       <div class=\"text\">\n\(text)\n       </div>\n" }

    static func service(_ id: Int, _ text: String) -> String {
        """

             <div class="message service" id="message\(id)">

              <div class="body details">
        \(text)
              </div>

             </div>

        """
    }

    static let day = service(-1, "21 November 2026")

    static func media(
        _ classes: String, _ href: String?, title: String = "", description: String = "", status: String = ""
    ) -> String {
        let body = [("title bold", title), ("description", description), ("status details", status)]
            .map { $1.isEmpty ? "" : "<div class=\"\($0)\">\n\($1)\n</div>" }.joined()
        let tag = href.map { "<a class=\"media clearfix pull_left block_link \(classes)\" href=\"\($0)\">" }
        return """
            <div class="media_wrap clearfix">
            \(tag ?? "<div class=\"media clearfix pull_left \(classes)\">")
            <div class="fill pull_left"></div><div class="body">\(body)</div>\(href == nil ? "</div>" : "</a>")
            </div>
            """
    }
}
