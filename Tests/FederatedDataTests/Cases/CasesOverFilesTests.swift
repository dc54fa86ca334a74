import FederatedData
import TestSupport
import Testing

/// The cases of the runtime again, each over an XML file and a SQLite file, in both directions.
@Suite("Cases over files")
struct CasesOverFilesTests {
  enum Direction: String, CaseIterable, CustomTestStringConvertible {
    case xmlFirst = "first store XML, second SQLite"
    case sqliteFirst = "first store SQLite, second XML"

    var testDescription: String { self.rawValue }

    func kinds(in folder: TemporaryFolder) -> (first: StoreKind, second: StoreKind) {
      let xml = StoreKind.files(.xml, fileExtension: "xml", in: folder)
      let sqlite = StoreKind.files(.sqlite, fileExtension: "sqlite", in: folder)
      return self == .xmlFirst ? (xml, sqlite) : (sqlite, xml)
    }
  }

  private static let authorCases =
    FetchedPropertyCases.reading + FetchedPropertyCases.caching + FetchedPropertyCases.pending
    + FetchedPropertyCases.exclusions + PrefetchCases.all + FetchCases.stores + FetchCases.links
    + PredicateCases.all + GroupCases.stores + ExplainingCases.all + LifecycleCases.stores
    + LinkedCases.answers + DiagnosisCases.all + LinkCheckCases.all
    + LinkedCases.questions

  @Test(
    "fetched properties and fetches hold over two real files, whichever way they lead",
    arguments: authorCases, Direction.allCases)
  func authors(_ testCase: StackCase<AuthorStack>, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try testCase.run(AuthorStack(main: kinds.first, side: kinds.second))
  }

  private static let personCases =
    LifecycleCases.life + LifecycleCases.faults + LifecycleCases.changes + LifecycleCases.refreshing
    + RelationshipCases.upkeep + RelationshipCases.deletion + RelationshipCases.validation + MergeCases.all

  @Test(
    "objects, links and saves hold over two real files", arguments: personCases, Direction.allCases)
  func people(_ testCase: StackCase<PersonStack>, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try testCase.run(PersonStack(people: kinds.first, notes: kinds.second))
  }

  @Test("typed objects hold over two real files", arguments: TypedCases.all, Direction.allCases)
  func typed(_ testCase: StackCase<ShopStack>, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    let kinds = direction.kinds(in: folder)
    try testCase.run(ShopStack(contacts: kinds.first, ledger: kinds.second))
  }

  enum FileKind: String, CaseIterable {
    case xml, sqlite

    func kind(in folder: TemporaryFolder) -> StoreKind {
      .files(self == .xml ? .xml : .sqlite, fileExtension: self.rawValue, in: folder)
    }
  }

  @Test(
    "fetches and groups hold over a real file, with unsaved work too",
    arguments: FetchCases.employees + FetchCases.requests + GroupCases.all,
    FileKind.allCases)
  func employees(_ testCase: StackCase<EmployeeStack>, _ file: FileKind) throws {
    let folder = try TemporaryFolder()
    try testCase.run(EmployeeStack(file.kind(in: folder)))
  }

  @Test(
    "the language means the same over real files (PR-08 to PR-84)",
    arguments: LanguageCases.text + LanguageCases.values + BlockCases.all + FetchCases.orderings
      + SumCases.all,
    FileKind.allCases)
  func language(_ testCase: StackCase<LanguageStack>, _ file: FileKind) throws {
    let folder = try TemporaryFolder()
    try testCase.run(LanguageStack(file.kind(in: folder)))
  }

  @Test(
    "new objects become the rows of a real file that have their unique values", arguments: UpsertCases.all,
    FileKind.allCases)
  func clubs(_ testCase: StackCase<ClubStack>, _ file: FileKind) throws {
    let folder = try TemporaryFolder()
    try testCase.run(ClubStack(file.kind(in: folder)))
  }

  @Test("rules hold over a real file", arguments: ValidationCases.all, FileKind.allCases)
  func rules(_ testCase: StackCase<RuledStack>, _ file: FileKind) throws {
    let folder = try TemporaryFolder()
    try testCase.run(RuledStack(file.kind(in: folder)))
  }
}
