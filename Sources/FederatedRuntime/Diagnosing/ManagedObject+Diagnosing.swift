internal import FederatedModel
internal import FederatedStore

extension ManagedObject {
  /// Finds out why a fetched property of this object answers what it does: the key that it looks up, the rows that have
  /// it or nearly have it, the terms that reject them, the stores that are not asked.
  ///
  /// The question is asked as a read asks it, and then every row of the destination is looked at once, batch by batch.
  /// Nothing is kept: later reads are as they would have been.
  ///
  /// ```swift
  /// let diagnosis = try customer.diagnose("recentInvoices")
  /// for reason in diagnosis.reasons { print(reason.code, reason.detail) }
  /// ```
  /// - Throws: ``ManagedObjectError`` for a name that is no fetched property; else what a store threw. A condition that
  ///   cannot be asked is a reason, and no error.
  public final func diagnose(_ key: String) throws -> LinkDiagnosis {
    let property = try self.fetchedProperty(named: key)
    guard let context = self.home.context else { throw ManagedObjectError.noContext(self, key) }
    try context.throwKeptError()
    return try context.withReadScope {
      var examination = try LinkExamination(property, of: self, in: context)
      return try examination.run()
    }
  }

  /// Finds out why a typed fetched property of this object answers what it does; see ``diagnose(_:)-(String)``.
  public final func diagnose<Destination>(_ key: FetchedKey<Destination>) throws -> LinkDiagnosis {
    try self.diagnose(key.propertyName)
  }
}
