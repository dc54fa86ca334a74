import FederatedModel
import FederatedStore

/// A link that the content of two files suggests: most values of one place occur at another, where no two are the same.
public struct SuggestedLink: Sendable, Hashable, CustomStringConvertible {
  /// The side that names: `Invoice`, and its attribute.
  public let entity: String
  public let attribute: String
  /// The side that is named: `Customer`, and the attribute that tells its rows apart.
  public let destination: String
  public let key: String
  /// The part of the naming side's distinct values that occur as keys, from 0 to 1.
  public let overlap: Double
  /// The part of the keys that are named.
  public let coverage: Double
  /// The fetched property of ``entity`` that finds the row that is named.
  public internal(set) var property = ""
  /// The fetched property of ``destination`` that finds the rows that name it.
  public internal(set) var inverse = ""

  /// `97 % of Invoice.customerId occur in Customer.id`, and the other way round.
  public var description: String {
    "\(Self.percent(self.overlap)) of \(self.entity).\(self.attribute) occur in \(self.destination).\(self.key), "
      + "\(Self.percent(self.coverage)) the other way round: \(self.entity).\(self.property), "
      + "\(self.destination).\(self.inverse)"
  }

  /// Rounded down: 100 % is all of them.
  private static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded(.down))) %" }
}

/// Finds links between entities by the overlap of their values.
struct LinkSearch {
  /// Values of the naming side that must occur as keys.
  static let least = 0.8

  private struct Side {
    let store: Int
    let entity: Int
    let owner: String
    let attribute: SuggestedAttribute
  }

  private let stores: [SuggestedStore]

  init(_ stores: [SuggestedStore]) { self.stores = stores }

  /// The best link of each attribute, in the order of the files.
  func links() -> [SuggestedLink] {
    let sides = self.stores.enumerated().flatMap { store, suggested in
      suggested.entities.enumerated().flatMap { entity, one in
        one.attributes.filter { $0.canLink && $0.values.count > 0 }.map {
          Side(store: store, entity: entity, owner: one.name, attribute: $0)
        }
      }
    }
    let keys = sides.filter(\.attribute.isKey)
    return sides.compactMap { side in
      let found = keys.compactMap { key in self.link(side, key).map { ($0, self.rank(side, key)) } }
      return found.max { ($0.1, $0.0.overlap) < ($1.1, $1.0.overlap) }?.0
    }.reduce(into: []) { links, link in
      // Two keys of each other are one link.
      let isKnown = links.contains {
        $0.entity == link.destination && $0.attribute == link.key && $0.destination == link.entity
          && $0.key == link.attribute
      }
      if !isKnown { links.append(link) }
    }
  }

  private func link(_ side: Side, _ key: Side) -> SuggestedLink? {
    if side.store == key.store, side.entity == key.entity { return nil }
    guard side.attribute.proposal.type == key.attribute.proposal.type,
      let overlap = side.attribute.values.sample.part(in: key.attribute.values.sample), overlap >= Self.least,
      let coverage = key.attribute.values.sample.part(in: side.attribute.values.sample)
    else { return nil }
    // Small numbers occur everywhere, so a name must say it too; inside one file relationships say the rest.
    let rank = self.rank(side, key)
    let needsName =
      side.attribute.proposal.type == .integer64 || side.store == key.store
      || side.attribute.values.sample.distinct < 3
    if needsName, rank == 0 { return nil }
    if side.store == key.store, self.isTied(side, key) { return nil }
    // A key of its own is the naming side only where it names less than it is named.
    if side.attribute.isKey, rank == 0, overlap < 1 { return nil }
    return SuggestedLink(
      entity: side.owner, attribute: side.attribute.name, destination: key.owner, key: key.attribute.name,
      overlap: overlap, coverage: coverage)
  }

  /// How much the names say that one is the key of the other.
  private func rank(_ side: Side, _ key: Side) -> Int {
    let subject = SuggestedNames.subject(side.attribute.name)
    let owner = NameWords(key.owner).words
    let singular = { (words: [String]) in words.map(SuggestedNames.singular) }
    if !subject.isEmpty, singular(subject).suffix(owner.count) == singular(owner)[...] { return 3 }
    if NameWords(side.attribute.name).words == NameWords(key.attribute.name).words,
      !SuggestedNames.subject(key.attribute.name).isEmpty
    {
      return 2
    }
    if !subject.isEmpty, subject == SuggestedNames.subject(key.attribute.name) { return 1 }
    return 0
  }

  /// Whether a relationship ties the entities already.
  private func isTied(_ side: Side, _ key: Side) -> Bool {
    self.stores[side.store].entities[side.entity].relationships.contains { $0.destination == key.owner }
  }
}
