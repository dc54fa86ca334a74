public import FederatedModel

extension Fetch {
  /// Adds a condition through a fetched property: how many of the objects that it finds pass.
  ///
  /// ```swift
  /// Fetch(Customer.self).linked(\.largeInvoices) { $0.paid == false }
  /// Fetch(Customer.self).linked(\.largeInvoices, .count(.greater, 3))
  /// ```
  /// - Parameter condition: what a linked object passes with; nil is passed by every one.
  public func linked<Destination>(
    _ path: KeyPath<Object.Keys, FetchedKey<Destination>>, _ test: LinkedCondition.Test = .any,
    where condition: ((Destination.Keys) -> FetchPredicate)? = nil
  ) -> Fetch {
    self.linked(
      LinkedCondition(
        Object.keys[keyPath: path].propertyName, test, where: condition.map { $0(Destination.keys) }))
  }

  /// Adds a condition through a fetched property, written with names.
  public func linked(_ condition: LinkedCondition) -> Fetch {
    self.asking { $0.linkedConditions.append(condition) }
  }

  /// Adds a sort key of the first object that a fetched property finds. Objects for which it finds none are sorted as
  /// nil.
  ///
  /// ```swift
  /// Fetch(Favourite.self).sorted(through: \.book, by: \.title.localized.ascending)
  /// ```
  public func sorted<Destination>(
    through path: KeyPath<Object.Keys, FetchedKey<Destination>>,
    by order: KeyPath<Destination.Keys, FetchSortDescriptor>
  ) -> Fetch {
    let sort = Destination.keys[keyPath: order].through(Object.keys[keyPath: path].propertyName)
    return self.asking { $0.sortDescriptors.append(sort) }
  }
}
