public import FederatedModel
public import FederatedRuntime
internal import FederatedStore

/// Fixture E0: employees and departments in one store.
public final class EmployeeStack {
  public let coordinator: PersistentStoreCoordinator
  public let store: SpyStore
  /// Objects do not keep their context; the stack does, as long as a case runs.
  private var contexts: [ManagedObjectContext] = []

  public init(_ kind: StoreKind = .inMemory) throws {
    self.coordinator = PersistentStoreCoordinator(model: try EmployeeStack.model())
    guard let store = try self.coordinator.add(try kind.open("S", nil)) as? SpyStore else {
      preconditionFailure("a spying type opens spies")
    }
    self.store = store
    let context = self.makeContext()
    for (name, salary) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] {
      try EmployeeStack.insert(name, salary, in: context)
    }
    try context.save()
    self.store.forgetCalls()
  }

  public func makeContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: self.coordinator)
    self.contexts.append(context)
    return context
  }

  @discardableResult static func insert(
    _ name: String, _ salary: Int, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let employee = try context.insert("Employee")
    try employee.set("name", to: name)
    try employee.set("salary", to: salary)
    return employee
  }

  /// Alpha earns 5, charlie 21; bravo is deleted; delta 30 and echo 40 are new. Nothing of it is saved.
  public func dirtyContext() throws -> ManagedObjectContext {
    let context = self.makeContext()
    for employee in try context.fetch(FetchRequest("Employee")) {
      switch try employee.value("name") {
      case .string("alpha"): try employee.set("salary", to: 5)
      case .string("charlie"): try employee.set("salary", to: 21)
      default: context.delete(employee)
      }
    }
    try EmployeeStack.insert("delta", 30, in: context)
    try EmployeeStack.insert("echo", 40, in: context)
    self.store.forgetCalls()
    return context
  }

  public static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel {
      EntityDescription("Employee") {
        AttributeDescription("name", .string)
        AttributeDescription("salary", .integer32, optional: true)
        AttributeDescription("hireDate", .date, optional: true)
        AttributeDescription("bonus", .decimal, optional: true)
        RelationshipDescription("department", to: "Department", inverse: "employees")
      }
      EntityDescription("Manager", parent: "Employee") {
        AttributeDescription("level", .integer16, optional: true)
      }
      EntityDescription("Department") {
        AttributeDescription("name", .string, optional: true)
        RelationshipDescription("employees", to: "Employee", .many, inverse: "department")
      }
      FetchRequestTemplate(
        "earning", FetchRequest("Employee", order: [.ascending("name")], limit: 2), where: "salary > $MIN")
      FetchRequestTemplate("hired", FetchRequest("Employee"), where: "hireDate == $D")
    }
  }
}
