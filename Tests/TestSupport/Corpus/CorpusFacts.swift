public import Foundation
import Testing

/// One value of what is stated about the real files beside the package.
public indirect enum Fact: Sendable, Hashable {
  case null
  case flag(Bool)
  case whole(Int64)
  case real(Double)
  case text(String)
  case list([Fact])
  case map([String: Fact])

  init(_ json: Any) {
    switch json {
    case let flag as NSNumber where String(cString: flag.objCType) == "c": self = .flag(flag.boolValue)
    case let text as String: self = .text(text)
    case let list as [Any]: self = .list(list.map(Fact.init))
    case let map as [String: Any]: self = .map(map.mapValues(Fact.init))
    case let number as NSNumber:
      let whole = number.int64Value
      self = Double(whole) == number.doubleValue ? .whole(whole) : .real(number.doubleValue)
    default: self = .null
    }
  }

  /// A member; null where there is none.
  public subscript(_ key: String) -> Fact { self.map[key] ?? .null }
  public var map: [String: Fact] { if case .map(let map) = self { map } else { [:] } }
  public var list: [Fact] { if case .list(let list) = self { list } else { [] } }
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var isTrue: Bool { self == .flag(true) }
  public var int: Int? { if case .whole(let number) = self { Int(number) } else { nil } }

  /// A number of either kind.
  public var number: Double? {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

/// One real file or set of files, and what is stated about it.
public struct CorpusEntry: Sendable, CustomStringConvertible {
  public let name: String
  public let kind: String
  /// Inside the corpus.
  public let paths: [String]
  public let facts: Fact

  public var description: String { self.name }

  /// Where a file is; the first one without a number.
  public func url(_ place: Int = 0) -> URL {
    (TestFiles.corpus ?? TestFiles.package).appending(path: self.paths[place])
  }

  /// All of a kind, by name; none on machines without the corpus.
  public static func all(_ kind: String) -> [CorpusEntry] { self.everything.filter { $0.kind == kind } }

  private static let everything: [CorpusEntry] = {
    guard let corpus = TestFiles.corpus else { return [] }
    do {
      let data = try Data(contentsOf: corpus.appending(path: "facts.json"))
      let facts = Fact(try JSONSerialization.jsonObject(with: data))
      return facts.map.sorted { $0.key < $1.key }.map { name, fact in
        CorpusEntry(
          name: name, kind: fact["kind"].text ?? "", paths: fact["files"].list.compactMap { $0["path"].text },
          facts: fact["facts"])
      }
    } catch {
      Issue.record(error, "the facts about the corpus cannot be read")
      return []
    }
  }()
}
