import Rendering

/// The parts around the content of every page.
enum PageFrame {
    /// - Parameters:
    ///   - title: A text by people; it is cut and escaped here.
    ///   - body: HTML.
    static func page(title: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(HTMLText.name(title)) · Scrollback</title>
        <link rel="stylesheet" href="\(AssetRoutes.path("style.css"))">
        <link rel="icon" href="\(AssetRoutes.path("icon.svg"))">
        <script type="module" src="\(AssetRoutes.path("scrollback.js"))"></script>
        </head>
        <body>
        \(body)</body>
        </html>

        """
    }
}
