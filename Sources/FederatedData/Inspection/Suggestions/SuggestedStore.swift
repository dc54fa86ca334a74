import FederatedModel
import FederatedStore
import Foundation

/// A file as a proposal sees it: its entities, and where they lie in it.
struct SuggestedStore {
  var name: String
  let url: URL
  /// The store type's name.
  let type: String
  var entities: [SuggestedEntity] = []
  /// Namespaces by the prefixes that the paths use.
  var namespaces: [String: String] = [:]
  /// The names of the entities that a store of the tradition's own layout holds; nil for a file of others.
  var ownEntities: [String]?
}

/// An entity, and the table or the path where its rows are.
struct SuggestedEntity {
  var name: String
  /// The table, or the path of the records: absolute, or relative to the records that they stand in.
  let place: String
  /// Whether the records stand inside those of another entity.
  var isNested = false
  var rows = 0
  /// What names a row: columns of a table, attributes of a document's entity; empty for what the file declares.
  var key: [String] = []
  var attributes: [SuggestedAttribute] = []
  var relationships: [SuggestedRelationship] = []
  var fetched: [FetchedPropertyDescription] = []

  var names: [String] {
    self.attributes.map(\.name) + self.relationships.map(\.name) + self.fetched.map(\.name)
  }
}

/// An attribute, its place in a row, and what its values look like.
struct SuggestedAttribute {
  var name: String
  /// A column, or a path from the record.
  let place: String
  let proposal: ValueProfile.Proposal
  let isOptional: Bool
  /// Whether texts of nothing are to be read as nil.
  var readsUnfitAsNil = false
  let values: ValueProfile

  /// Whether every row has a value, and no two the same, as far as the sample tells.
  var isKey: Bool { !self.isOptional && self.values.count > 0 && self.values.sample.isUnique }

  /// Whether values of the type are compared exactly, whichever store they are in.
  var canLink: Bool {
    switch self.proposal.type {
    case .integer64, .string, .uuid: true
    default: false
    }
  }
}

/// A relationship inside one file.
struct SuggestedRelationship {
  var name: String
  let destination: String
  var inverse: String
  let isToMany: Bool
  let isOptional: Bool
  let place: Place

  enum Place {
    /// Columns that hold the key of the destination.
    case columns([String])
    /// Where the other side is says it.
    case inverse
    /// A table of pairs.
    case pairs(table: String, owner: [String], destination: [String])
    /// Records inside the record.
    case records(String)
  }
}
