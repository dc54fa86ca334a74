import FederatedModel
public import Foundation

/// A number, or one that may be missing: what typed arithmetic is made of.
public protocol NumberValue: AttributeValue {}
extension Int: NumberValue {}
extension Int16: NumberValue {}
extension Int32: NumberValue {}
extension Int64: NumberValue {}
extension Double: NumberValue {}
extension Float: NumberValue {}
extension Decimal: NumberValue {}
extension Optional: NumberValue where Wrapped: NumberValue {}

extension AttributeOperand where Content: NumberValue {
  private func computed(_ function: FetchFunction, _ right: FetchExpression) -> ComputedOperand<Content> {
    ComputedOperand(operand: .function(function.rawValue, [self.operand, right]))
  }

  public static func + (left: Self, value: Content) -> ComputedOperand<Content> {
    left.computed(.add, .constant(value.value))
  }
  public static func - (left: Self, value: Content) -> ComputedOperand<Content> {
    left.computed(.subtract, .constant(value.value))
  }
  public static func * (left: Self, value: Content) -> ComputedOperand<Content> {
    left.computed(.multiply, .constant(value.value))
  }
  public static func / (left: Self, value: Content) -> ComputedOperand<Content> {
    left.computed(.divide, .constant(value.value))
  }

  public static func + <Other: AttributeOperand<Content>>(left: Self, right: Other) -> ComputedOperand<
    Content
  > {
    left.computed(.add, right.operand)
  }
  public static func - <Other: AttributeOperand<Content>>(left: Self, right: Other) -> ComputedOperand<
    Content
  > {
    left.computed(.subtract, right.operand)
  }
  public static func * <Other: AttributeOperand<Content>>(left: Self, right: Other) -> ComputedOperand<
    Content
  > {
    left.computed(.multiply, right.operand)
  }
  public static func / <Other: AttributeOperand<Content>>(left: Self, right: Other) -> ComputedOperand<
    Content
  > {
    left.computed(.divide, right.operand)
  }
}
