import FederatedData
import Foundation

enum PredicateTarget {
  static func run(_ input: Data) throws {
    let text = String(decoding: input, as: UTF8.self)
    let predicate = try FetchPredicate(format: text)
    // The canonical text of a predicate reads back as the same predicate.
    let printed = predicate.description
    do {
      let again = try FetchPredicate(format: printed)
      precondition(again == predicate, "\(text) prints as \(printed), which reads as \(again)")
    } catch { preconditionFailure("\(text) prints as \(printed), which does not read: \(error)") }
  }

  static let seeds: [Data] = [
    "name == 'a' AND (number > 3 OR NOT flag == YES)", "ANY parts.text BEGINSWITH[cd] \"x\"", "TRUEPREDICATE",
    "SUBQUERY(parts, $p, $p.large BETWEEN {1, 2}).@count > 0",
    "number IN {1, 2.5, -3e4} || text MATCHES 'a+'",
    "day < CAST(0, 'NSDate') && key == nil", "parts.@sum.large + 3 * -2 ** 2 >= length / 2",
    "text LIKE '*?' ",
    "number == $FETCH_SOURCE.number AND text CONTAINS $FETCHED_PROPERTY.userInfo.search",
    "ALL parts.flag == NO", "uppercase:(text) == 'A'", "TERNARY(flag == YES, 1, 2) == 1",
    "a[FIRST] == b[SIZE]",
    "NONE items.price == 5 OR @min(a, b) == 1", "SELF == %K", "#reserved.in == 0x1F",
  ].map { Data($0.utf8) }
}

enum FederationTarget {
  static func run(_ input: Data) throws {
    let file = try FederationFile(at: Scratch.file("f.json", input))
    precondition(!file.stores.isEmpty, "a federation without a store")
    _ = try file.storeDescriptions(for: FuzzModel.model)
  }

  static let seeds: [Data] = [
    #"{"model": "M.xcdatamodeld", "stores": [{"name": "a", "type": "xml", "path": "a.xml", "configuration": "A"}]}"#,
    #"{"model": "M", "limits": {"rows": 1, "depth": 2}, "stores": [{"path": "b", "readOnly": true, "type": "sqlite"}]}"#,
    #"{"model": "\u00e9\n", "stores": [{"path": "c", "type": "auto", "encoding": "UTF-8", "limits": {"fileBytes": 1e3}}]}"#,
  ].map { Data($0.utf8) }
}
