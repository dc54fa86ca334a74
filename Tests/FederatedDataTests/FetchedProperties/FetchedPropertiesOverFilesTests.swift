import FederatedData
import TestSupport
import Testing

/// The FP cases again, each over an XML file and a SQLite file, in both directions.
@Suite("Fetched properties over files")
struct FetchedPropertiesOverFilesTests {
  private static let cases =
    FetchedPropertyCases.reading + FetchedPropertyCases.caching + FetchedPropertyCases.pending
    + FetchedPropertyCases.exclusions

  enum Direction: String, CaseIterable, CustomTestStringConvertible {
    case xmlToSQLite = "sources in XML, destinations in SQLite"
    case sqliteToXML = "sources in SQLite, destinations in XML"

    var testDescription: String { self.rawValue }

    func stack(in folder: TemporaryFolder) throws -> AuthorStack {
      let xml = StoreKind.files(.xml, fileExtension: "xml", in: folder)
      let sqlite = StoreKind.files(.sqlite, fileExtension: "sqlite", in: folder)
      switch self {
      case .xmlToSQLite: return try AuthorStack(main: xml, side: sqlite)
      case .sqliteToXML: return try AuthorStack(main: sqlite, side: xml)
      }
    }
  }

  @Test(
    "a case holds over two real files, whichever way the property leads", arguments: cases, Direction.allCases
  )
  func overFiles(_ testCase: StackCase<AuthorStack>, _ direction: Direction) throws {
    let folder = try TemporaryFolder()
    try testCase.run(direction.stack(in: folder))
  }
}
