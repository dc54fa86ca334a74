package import FederatedModel

/// To-many relationships that nobody may be in any more once a save has removed their owners.
///
/// What a delete rule did about the members, it did about those that the saver knew. One that others added meanwhile
/// would be left with a link to a row that is gone, so the store looks again, with the save's other changes in.
extension ChangeSet {
  /// A relationship whose members are told by their to-one, with the rows that go and owned it.
  package struct LeftList {
    package let relationship: Relationship
    package let inverse: Relationship
    package let owners: RowBlock
  }

  /// The lists of the rows that go. One whose rule is `noAction` may leave links behind.
  package func leftLists(in model: ManagedObjectModel) -> [LeftList] {
    self.deleted.filter { $0.count > 0 }.flatMap { block in
      model[block.entity].relationships.compactMap { relationship in
        guard relationship.isToMany, !relationship.isTransient,
          relationship.description.deleteRule != .noAction,
          let inverse = relationship.inverse.map({ model.relationship($0) }), inverse.slot != nil
        else { return nil }
        return LeftList(relationship: relationship, inverse: inverse, owners: block)
      }
    }
  }
}
