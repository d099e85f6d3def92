/// The names of months in dates of downloads (CLDR 48, whole names, as they stand in dates).
enum WholeMonthName {
    /// Returns the number of a month for a name in small letters; nil for another word.
    static func number(_ word: String) -> Int? { numbers[word] }

    private static let numbers: [String: Int] = {
        let languages = [
            "january february march april may june july august september october november december",
            "jan feb mar apr may jun jul aug sep oct nov dec",
            "januar februar märz april mai juni juli august september oktober november dezember",
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "januari februari mars april maj juni juli augusti september oktober november december",
            "januar februar marts april maj juni juli august september oktober november december",
            "januar februar mars april mai juni juli august september oktober november desember",
            """
            tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta \
            marraskuuta joulukuuta
            """,
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
            "ledna února března dubna května června července srpna září října listopadu prosince",
            "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
            "január február március április május június július augusztus szeptember október november december",
            "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
            "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
            "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
            "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
            "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
            "januari februari maret april mei juni juli agustus september oktober november desember",
        ]
        return languages.reduce(into: [:]) { numbers, names in
            for (index, name) in names.split(separator: " ").enumerated() where numbers[String(name)] == nil {
                numbers[String(name)] = index + 1
            }
        }
    }()
}
