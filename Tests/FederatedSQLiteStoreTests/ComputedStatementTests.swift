import FederatedModel
import FederatedStore
import Testing

@testable import FederatedSQLiteStore

/// What is calculated for a row, as the statements it becomes and the rows these answer.
extension StatementTests {
  private static func call(_ function: FetchFunction, _ kind: SQLKind, _ operands: String) -> String {
    "fd_call(\(ValueFunctions.code(function, kind)), \(operands))"
  }
  private static func gather(_ function: FetchFunction, _ kind: SQLKind, _ operand: String) -> String {
    "fd_gather(\(ValueFunctions.code(function, kind)), \(operand))"
  }

  @Test(
    "calculation: SQLite's operators for whole numbers, the evaluator's code for the rest (PR-46, PR-47, PR-48)",
    arguments: [
      ("count + 1 > 3", "(t0.ZCOUNT + ?) > ?", [3, 4]),
      (
        "count + weight * 0 == 2",
        call(.add, .int, "t0.ZCOUNT, \(call(.multiply, .double, "t0.ZWEIGHT, ?"))") + " = ?", [2]
      ),
      ("count / 2 == 1", "(t0.ZCOUNT / ?) = ?", [2, 3]),
      ("weight / 2 == 1.5", call(.divide, .double, "t0.ZWEIGHT, ?") + " = ?", [3]),
      ("weight / 2 > 1.5", "NULLIF(\(call(.divide, .double, "t0.ZWEIGHT, ?")), x'') > ?", [4]),
      ("modulus:by:(count, 2) == 1", "(t0.ZCOUNT % ?) = ?", [1, 3]),
      ("count / 0 == nil", "(t0.ZCOUNT / ?) IS NULL", [1, 2, 3, 4, 5]),
      ("1 / 0 == nil", "", [1, 2, 3, 4, 5]), ("count == 1 + 2", "t0.ZCOUNT = ?", [3]),
      ("(count & 1) == 1", "(t0.ZCOUNT & ?) = ?", [1, 3]),
      ("abs(count - 3) == 1", call(.abs, .number, "(t0.ZCOUNT - ?)") + " = ?", [2, 4]),
      ("total * 2 == 3", "fd_equal(\(call(.multiply, .exact, "fd_decimal(t0.ZTOTAL), ?")), ?)", [3]),
    ] as [(String, String, [Int64])])
  func calculation(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Order", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "a condition stands on either side of any operator, and bounds may be calculated (PR-54, PR-55, PR-71)",
    arguments: [
      (
        "TERNARY(count != nil, count, 0) == 0",
        "(CASE WHEN t0.ZCOUNT IS NOT NULL THEN t0.ZCOUNT ELSE ? END) = ?", [5]
      ),
      (
        "TERNARY(count != nil, count, 0) IN {0, 1, nil}",
        "((CASE WHEN t0.ZCOUNT IS NOT NULL THEN t0.ZCOUNT ELSE ? END) IN (?, ?) OR "
          + "(CASE WHEN t0.ZCOUNT IS NOT NULL THEN t0.ZCOUNT ELSE ? END) IS NULL)", [1, 5]
      ),
      (
        "3 < TERNARY(isOpen == nil, count, 0)",
        "? < (CASE WHEN t0.ZISOPEN IS NULL THEN t0.ZCOUNT ELSE ? END)",
        [4]
      ),
      (
        "count BETWEEN {weight, count + 1}",
        "(+t0.ZCOUNT >= +t0.ZWEIGHT AND +t0.ZCOUNT <= (t0.ZCOUNT + ?))", [1, 2, 3, 4]
      ),
    ] as [(String, String, [Int64])])
  func conditions(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Order", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "columns of unlike kinds: numbers by their worth, others equal only as nils (PR-75, PR-78, PR-79)",
    arguments: [
      ("total == count", "fd_equal(fd_decimal(t0.ZTOTAL), t0.ZCOUNT)", [5]),
      ("total < weight", "fd_order(fd_decimal(t0.ZTOTAL), t0.ZWEIGHT) < 0", [1, 2, 3, 4]),
      ("data == page", "(t0.ZDATA IS NULL AND t0.ZPAGE IS NULL)", [1, 2, 3, 4, 5]),
      ("party.since == party.since", "t1.ZSINCE IS t1.ZSINCE", [1, 2, 3, 4, 5]),
    ] as [(String, String, [Int64])])
  func unlikeColumns(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Order", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "text: lists under flags are folded once for each row; functions by the evaluator's code (PR-24, PR-83)",
    arguments: [
      ("name IN[c] {'ANN', 'x', nil}", "(fd_fold(t0.ZNAME, 1) IN (?, ?) OR t0.ZNAME IS NULL)", [1, 3]),
      ("uppercase(name) == 'ANN'", call(.uppercase, .text, "t0.ZNAME") + " = ?", [1]),
      ("name.length == 3", call(.length, .text, "t0.ZNAME") + " = ?", [1, 2]),
      ("name IN 'Anna'", "fd_text(?, t0.ZNAME, 256)", [1]),
    ] as [(String, String, [Int64])])
  func textFunctions(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Party", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test(
    "subqueries and statistics are subqueries; bare keys belong to the outer row (PR-38, PR-39, PR-40, PR-44)",
    arguments: [
      (
        "SUBQUERY(orders, $o, $o.count > 1).@count == 1",
        "(SELECT COUNT(*) FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND t1.ZCOUNT > ?) = ?", [1, 2]
      ),
      (
        "SUBQUERY(orders, $o, $o.party.name == name).@count == 2",
        "(SELECT COUNT(*) FROM ZORDER AS t1 LEFT JOIN ZPARTY AS t2 ON t2.Z_PK = t1.ZPARTY "
          + "WHERE t1.ZPARTY = t0.Z_PK AND t2.ZNAME IS t0.ZNAME) = ?", [1]
      ),
      (
        "ANY SUBQUERY(orders, $o, $o.count > 1).weight < 3",
        "EXISTS (SELECT 1 FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK AND t1.ZCOUNT > ? AND t1.ZWEIGHT < ?)",
        [1]
      ),
      (
        "ALL knows.orders.count > 1",
        "(EXISTS (SELECT 1 FROM ZPARTY AS t1 JOIN ZORDER AS t3 ON t3.ZPARTY = t1.Z_PK WHERE t1.Z_PK IN "
          + "(SELECT t2.Z_3KNOWS FROM Z_3KNOWNBY AS t2 WHERE t2.Z_3KNOWNBY = t0.Z_PK) AND "
          + "(t3.ZCOUNT > ?) IS NOT TRUE)) IS NOT TRUE", [1, 2, 3]
      ),
      (
        "orders.@sum.count == 3",
        "(SELECT IFNULL(\(gather(.sum, .int, "t1.ZCOUNT")), 0) FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK) = ?",
        [1, 2]
      ),
      (
        "orders.@avg.weight == 1.5",
        "(SELECT IFNULL(\(gather(.average, .double, "t1.ZWEIGHT")), 0) FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK) = ?",
        [1]
      ),
      (
        "orders.@max.count > 2", "(SELECT MAX(t1.ZCOUNT) FROM ZORDER AS t1 WHERE t1.ZPARTY = t0.Z_PK) > ?",
        [2]
      ),
    ] as [(String, String, [Int64])])
  func subqueries(format: String, condition: String, rows: [Int64]) throws {
    let answer = try self.ask("Party", format)
    #expect(answer.condition == condition)
    #expect(answer.rows == rows)
  }

  @Test("what only memory can say keeps its answer beside what SQL says")
  func refused() throws {
    for format in ["mode({count, 1}) == {1}", "random() < 2", "stddev({count, count}) == 0"] {
      let query = try self.shop.query("Order", where: "count == 1 AND " + format)
      #expect(try self.shop.explanation(query).inMemory.count == 1)
      #expect(try self.shop.rows(query).map(\.reference) == [1])
    }
  }

  @Test("now() is one instant for a whole question (PR-51)")
  func now() throws {
    #expect(try self.shop.count(self.shop.query("Order", where: "now() == now()")) == 5)
    #expect(try self.ask("Party", "since < now()").condition == "t0.ZSINCE < ?")
  }
}
