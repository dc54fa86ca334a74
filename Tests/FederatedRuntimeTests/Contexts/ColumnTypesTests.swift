import TestSupport
import Testing

@Suite("Columns are of requests alone")
struct ColumnTypesTests {
  @Test(
    "the compiler refuses an expression among properties, and a request without an entity (MO-19, FR-19)",
    .enabled(if: ClientCompiler.modules != nil, "the modules of this build are not beside the tests"),
    arguments: [
      ("EntityDescription(\"A\", properties: [ExpressionDescription(\"n\", .evaluatedObject)])", false),
      ("EntityDescription(\"A\", properties: [AttributeDescription(\"n\", .string)])", true),
      ("FetchRequest()", false), ("FetchRequest(\"A\")", true),
    ])
  func compiles(_ expression: String, _ isRight: Bool) throws {
    let errors = try ClientCompiler.errors(
      in: "import FederatedModel\nfunc make() throws { _ = \(expression) }")
    #expect(errors.isEmpty == isRight, "\(errors)")
  }
}
