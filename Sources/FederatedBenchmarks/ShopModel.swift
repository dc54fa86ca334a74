import FederatedData
import Foundation

/// The model of the generated files, and its classes.
enum ShopModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Customer",
          properties: [
            AttributeDescription("id", .integer64), AttributeDescription("name", .string),
            AttributeDescription("email", .string), AttributeDescription("country", .string),
            AttributeDescription("joined", .date), AttributeDescription("creditLimit", .decimal),
            FetchedPropertyDescription(
              "invoices", of: "Invoice", where: "customerId == $FETCH_SOURCE.id", order: .descending("date")),
          ]),
        self.invoice,
      ],
      configurations: [
        ModelConfiguration("CRM", entities: ["Customer"]),
        ModelConfiguration("Ledger", entities: ["Invoice"]),
      ])
  }

  private static var invoice: EntityDescription {
    var entity = EntityDescription(
      "Invoice",
      properties: [
        AttributeDescription("customerId", .integer64), AttributeDescription("date", .date),
        AttributeDescription("total", .decimal), AttributeDescription("number", .string),
        AttributeDescription("status", .string),
      ])
    entity.indexes = [FetchIndexDescription("byCustomerId", [.init("customerId")])]
    return entity
  }

  /// The generated files carry no version hashes.
  static func customers(_ files: DataFiles, at url: URL? = nil) -> PersistentStoreDescription {
    var description = PersistentStoreDescription(
      .xml, at: url ?? files.customers, configuration: "CRM", readOnly: url == nil)
    description.ignoresModelVersion = true
    return description
  }

  static func invoices(_ files: DataFiles) -> PersistentStoreDescription {
    var description = PersistentStoreDescription(
      .sqlite, at: files.invoices, configuration: "Ledger", readOnly: true)
    description.ignoresModelVersion = true
    return description
  }
}

/// Hundredths of a decimal with at most two places, without the cost of decimal arithmetic.
func cents(_ amount: Decimal) -> Int64 {
  withUnsafeBytes(of: amount) { bytes in
    // The exponent is the first byte; the lowest digits of the mantissa stand behind four bytes of header.
    let exponent = Int(bytes.loadUnaligned(fromByteOffset: 0, as: Int8.self))
    var mantissa = Int64(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    mantissa |= Int64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) << 32
    for _ in 0..<max(0, exponent + 2) { mantissa *= 10 }
    return mantissa
  }
}
