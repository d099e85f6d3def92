/// The most frequent characters of a language that is written with thousands of them, counted in chats, fortunes and
/// manuals. In chats and private letters, the first 64 make up about half of a text, and all 256 four fifths.
struct FrequentCharacters: Sendable {
    private let first: Set<Unicode.Scalar>
    private let next: Set<Unicode.Scalar>

    private init(first: String, next: String) {
        (self.first, self.next) = (Set(first.unicodeScalars), Set(next.unicodeScalars))
    }

    /// Returns 0 for the first 64 characters, 1 for the next 192; nil for others.
    func rank(of scalar: Unicode.Scalar) -> Int? {
        first.contains(scalar) ? 0 : next.contains(scalar) ? 1 : nil
    }

    /// Syllables.
    static let korean = FrequentCharacters(
        first: "이요다하어는지가에을니고해아나있도세사로기시보은서한를면게거자리그의스네수정만일할설들라치데으마까안예습부야인좋제드용무트오겠생",
        next: """
            음없파같주미대여려내말구합전비싶간프별람우힘봐죠되모잘바더않장연것각많상크너신러때친했진운동소랑\
            워적터문헤저디화경입선템분작중었방션과결래키행티남와금원버팅건조실못공히길먹른물당개필받램심후혼\
            메든웨달알늘유르위회복성살계법직관락또질좀처았날택십차명두식걸배번참재추감될준단집따돼새끝애능포\
            호찮속볼년피잊점반언력졌괜뭐록테본발패통렇타올체줄절표왔런된답학왜업꾸째져찾루커편울레던노난쓰느
            """)

    /// Kanji.
    static let japanese = FrequentCharacters(
        first: "定一行日合使出中人用国大場時本会年表前上長数自実分事間文動名設下見力方的全生指内部関作社変理入者最新月化示要民以現能通書字成回参",
        next: """
            次地目代記明手問今意立可高法機性学言外子正続経必照体当取初常情式不題来多特度値利解無対小主先別換\
            信置安送語受得番終強有点空容進確各存元結気同話更報切所始和後号非重再効思画知込活考向在例心世家応\
            位直件面果由様界求管他女近止引説準読味除何消物教提起論単付際供想限私接標違含境列真道去開環水少打\
            等感過制半個加認規電待持追種広男基削朝運検流台保状住処好線着口適料乗校複義工仕版了音達帰期選食早
            """)

    /// Characters of the mainland.
    static let simplifiedChinese = FrequentCharacters(
        first: "的一是不在有了个人这中用我来为他和以上们可大到时件地要出你国会行文能于说下也对就之如子而生作过使自得所那后里发着年定本动方多成面",
        next: """
            道进其数它同当然分事种系法家些统理么现都去经没者表前天看小学从程样命好果主部起开将名无第包式工还\
            只通日心被机但意因见此实与并设关全应内新明间目由相把已问重长信性接字想软情正她代知安最令加提十入\
            据力公三外置手点高民常化何向两变务更二处头特等回体又指位建很解月业口认管则义量合给参物话比什先身\
            或度次己别及打美符声户类选水老序网该立原非空示必许配器列条东结题世门基山取几区真且保教平员制录儿
            """)

    /// Characters of Taiwan and Hong Kong.
    static let traditionalChinese = FrequentCharacters(
        first: "的一是在不個有了這用中人來我和以他可上們到時大地出要爲你使會能國行於下對說就如也定作過檔式生而所子那後自得案之動者面發它體方着多",
        next: """
            成系同年當統分種些本法表然道理指裏進麼現果設事其程數沒都資經家包名文前字從樣去將部令主被開學工件\
            為小起看心機好只還但位因並新意關應全目實天通入此間見相與列由日性軟第把重最提已無安命正想她情明內\
            選長變問外加化力點手示建常特立代或十向等別公更知業兩高民三置很義解回二給碼管原結路許合器處頭該又\
            接話取元物比何務項次則配及網先什度己非裝料身記美標條錄必基執格空訊傳月信形參題輸老量引類且認員做
            """)

    /// The hiragana, katakana and marks that are most of the kana in a Japanese text.
    static let kana = Set(
        "のいたしてにをはがとでんなれかすまるもらりうきこさだけそどよくあつえおじみばわほやめせちーンスルトイリクドラ".unicodeScalars)
}
