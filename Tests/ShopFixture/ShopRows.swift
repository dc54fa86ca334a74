import Foundation

/// The rows of the shop: forty customers, four hundred invoices, their lines. The same on every run.
struct ShopRows {
  struct Customer {
    var number: Int
    var code: UUID
    var name: String?
    var city: String?
    var since: Date?
    var creditLimit: Decimal?
    var rating: Double?
    var isActive = true
    var homepage: String?
    var logo: Data?
  }

  struct Invoice {
    var code: String
    var customerNumber: Int?
    var date: Date
    var isPaid: Bool
    var note: String?
    var lines: [Line]
    var total: Decimal { self.lines.reduce(0) { $0 + Decimal($1.quantity) * $1.price } }
  }

  struct Line {
    var text: String
    var quantity: Int
    var price: Decimal
  }

  private(set) var customers: [Customer] = []
  private(set) var invoices: [Invoice] = []
  private var numbers = Sequence64(seed: 20_010_101)

  init() {
    for (index, name) in Self.names.enumerated() { self.customers.append(self.customer(index, name)) }
    for index in 0..<397 { self.invoices.append(self.invoice(index)) }
    self.invoices += self.oddInvoices
  }

  /// Texts that files, encodings and sort orders stumble over; nil and the empty string among them.
  private static let names: [String?] = [
    "Ada Ström", "Mich\u{E8}le Dubois", "Miche\u{300}le Dubois", "Zoë 🦉 Eule", "李 小龍", nil, "",
    "O'Brien & Sons <Ltd>", "\"Quoted\" GmbH", "Back\\slash\\u0041 Inc", "  Spaces around  ", "Line\nBreak",
    "Tab\there", "Ærø Bådebyggeri", "Ångström AB", "A\u{30A}ngstro\u{308}m AB", "Żółć Sp. z o.o.",
    "Ελένη Παπαδάκη",
    "Иван Творогов", "やまだ たろう", "שלום בע״מ", "👩‍👩‍👧‍👦 Family Store", "e\u{301}clair", "éclair", "ECLAIR",
    "Straße 7", "STRASSE 7", "İstanbul Ticaret", "Ⅷ Legion", "100% Cotton_*?", "Null & Void", "007 Agency",
    "Zebra", "zebra", "Zèbre", "Nguyễn Văn An", "José Ñandú", "Peter Paul", "Mary", "Nobody Buys",
  ]

  private static let cities: [String?] = ["Zürich", "Lyon", "København", nil, "São Paulo", "北京"]
  private static let goods = [
    "Coffee ☕️", "Paper A4", "Ink \"black\"", "Tea & biscuits", "Chair <oak>", "Lamp", "Crème brûlée",
    "Cre\u{300}me 2%",
  ]

  private mutating func customer(_ index: Int, _ name: String?) -> Customer {
    Customer(
      number: index + 1, code: self.numbers.uuid(), name: name, city: Self.cities[index % Self.cities.count],
      since: index % 7 == 3 ? nil : self.numbers.date(from: -1_600_000_000, to: 700_000_000),
      creditLimit: index % 5 == 4 ? nil : Decimal(self.numbers.below(1_000_000)) / 100,
      rating: index % 6 == 5 ? nil : Double(self.numbers.below(50)) / 10, isActive: index % 9 != 8,
      homepage: index % 4 == 0 ? "https://shop.example/k%C3%BCnde/\(index + 1)?a=1&b=2" : nil,
      logo: index % 8 == 0 ? Data((0..<index + 3).map { UInt8($0 * 37 & 0xFF) }) : nil)
  }

  /// The last customer buys nothing; the first buys most.
  private mutating func invoice(_ index: Int) -> Invoice {
    let customer = index % 4 == 0 ? 1 + self.numbers.below(6) : 1 + self.numbers.below(Self.names.count - 1)
    let lines = (0...self.numbers.below(4)).map { _ in
      Line(
        text: Self.goods[self.numbers.below(Self.goods.count)], quantity: 1 + self.numbers.below(12),
        price: Decimal(self.numbers.below(30_000)) / 100)
    }
    return Invoice(
      code: "R-\(1000 + index)", customerNumber: customer,
      date: self.numbers.date(from: 400_000_000, to: 780_000_000),
      isPaid: self.numbers.below(3) > 0, note: index % 11 == 0 ? "Größe 🅰️, naïve" : nil, lines: lines)
  }

  /// A customer that does not exist, no customer at all, and amounts that no double holds.
  private var oddInvoices: [Invoice] {
    let day = Date(timeIntervalSinceReferenceDate: -978_307_200.25)
    return [
      Invoice(
        code: "X-1", customerNumber: 9999, date: day, isPaid: false, note: "for a customer who is not there",
        lines: [Line(text: "Orphan", quantity: 1, price: 1)]),
      Invoice(
        code: "X-2", customerNumber: nil, date: day.addingTimeInterval(-63_072_000), isPaid: true, note: nil,
        lines: []),
      Invoice(
        code: "X-3", customerNumber: 2, date: Date(timeIntervalSinceReferenceDate: 0.1), isPaid: true,
        note: "",
        lines: [
          Line(text: "Exact", quantity: 1, price: Decimal(string: "12345678901234567.89", locale: nil)!),
          Line(text: "Tiny", quantity: 3, price: Decimal(string: "0.00000000000000000001", locale: nil)!),
        ]),
    ]
  }
}

/// Numbers that look random and are the same on every run and machine.
struct Sequence64 {
  private var state: UInt64
  init(seed: UInt64) { self.state = seed }

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = self.state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(self.next() % UInt64(limit)) }

  /// Seconds since 2001; every second date carries microseconds.
  mutating func date(from first: Int, to last: Int) -> Date {
    let whole = Double(first + self.below(last - first))
    let part = self.below(2) == 0 ? 0 : Double(self.below(1_000_000)) / 1_000_000
    return Date(timeIntervalSinceReferenceDate: whole + part)
  }

  mutating func uuid() -> UUID {
    let (a, b) = (self.next(), self.next())
    let bytes =
      (0..<8).map { UInt8(truncatingIfNeeded: a >> (8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: b >> (8 * $0)) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x40, bytes[7],
        bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
