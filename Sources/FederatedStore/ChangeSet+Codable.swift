import FederatedModel
import Foundation

extension CodingUserInfoKey {
  /// The frozen model whose layouts decoded row images take.
  public static let managedObjectModel = CodingUserInfoKey(rawValue: "FederatedData.managedObjectModel")!
}

/// What has to be written. What a save relies on was looked at before it was decided, and is left out.
extension ChangeSet: Codable {
  private enum CodingKeys: CodingKey {
    case inserted, before, after, deleted, links
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.inserted.map(RowImages.init), forKey: .inserted)
    try container.encode(self.updated.map { RowImages($0.before) }, forKey: .before)
    try container.encode(self.updated.map { RowImages($0.after) }, forKey: .after)
    try container.encode(self.deleted.map(RowImages.init), forKey: .deleted)
    try container.encode(self.links, forKey: .links)
  }

  /// - Precondition: the decoder's user info holds the model under ``Foundation/CodingUserInfoKey/managedObjectModel``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.inserted = try container.decode([RowImages].self, forKey: .inserted).map(\.block)
    let before = try container.decode([RowImages].self, forKey: .before).map(\.block)
    let after = try container.decode([RowImages].self, forKey: .after).map(\.block)
    guard before.count == after.count,
      zip(before, after).allSatisfy({ $0.count == $1.count && $0.layout === $1.layout })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .after, in: container, debugDescription: "before- and after-images do not pair")
    }
    self.updated = zip(before, after).map { UpdatedRows(before: $0, after: $1) }
    self.deleted = try container.decode([RowImages].self, forKey: .deleted).map(\.block)
    self.links = try container.decode([LinkChange].self, forKey: .links)
  }
}

/// A row block on its way through a coder: entity name, words and arena.
private struct RowImages: Codable {
  let block: RowBlock

  init(_ block: RowBlock) { self.block = block }

  private enum CodingKeys: CodingKey {
    case entity, count, words, arena
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.block.entity, forKey: .entity)
    try container.encode(self.block.count, forKey: .count)
    try container.encode(self.block.encodedWords, forKey: .words)
    try container.encode(self.block.encodedArena, forKey: .arena)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let entity = try container.decode(EntityID.self, forKey: .entity)
    guard let model = decoder.userInfo[.managedObjectModel] as? ManagedObjectModel,
      model.entities.indices.contains(entity.index)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .entity, in: container, debugDescription: "no model, or no such entity in it")
    }
    let block = RowBlock(
      layout: model[entity].layout, count: try container.decode(Int.self, forKey: .count),
      encodedWords: try container.decode(Data.self, forKey: .words),
      encodedArena: try container.decode(Data.self, forKey: .arena))
    guard let block else {
      throw DecodingError.dataCorruptedError(
        forKey: .words, in: container,
        debugDescription: "the rows do not have the shape of \(model[entity].name)")
    }
    self.block = block
  }
}
