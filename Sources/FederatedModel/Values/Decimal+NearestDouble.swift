package import Foundation

extension Decimal {
  /// The double nearest to the decimal: the one whose shortest text has these digits.
  ///
  /// `NSDecimalNumber.doubleValue` rounds once for every digit behind the point; it makes 3.3299999999999996 of
  /// 3.33, which equals no 3.33 that was written.
  package var nearestDouble: Double { Double(self.description) ?? .nan }
}
