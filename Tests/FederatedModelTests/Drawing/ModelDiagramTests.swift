import FederatedModel
import Testing

@Suite struct ModelDiagramTests {
  private static func model(_ configurations: ModelConfiguration...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription("Base", abstract: true) { AttributeDescription("id", .integer64) },
        EntityDescription("Customer", parent: "Base") {
          AttributeDescription("name", .string, optional: true)
          FetchedPropertyDescription(
            "invoices", of: "Invoice", where: "customer == $FETCH_SOURCE.id", limit: 10)
        },
        EntityDescription("Invoice") {
          AttributeDescription("customer", .integer64)
          RelationshipDescription("lines", to: "Line", .many, inverse: "invoice", optional: false).count(
            1...9)
          RelationshipDescription("cover", to: "Line")
        },
        EntityDescription("Line") {
          RelationshipDescription("invoice", to: "Invoice", inverse: "lines", optional: false)
        },
      ], configurations: configurations)
  }

  @Test("a Mermaid class diagram has stores as namespaces, counts at both ends, dashed arrows across")
  func mermaid() throws {
    let model = try Self.model(
      ModelConfiguration("CRM", entities: ["Base", "Customer"]),
      ModelConfiguration("The Ledger", entities: ["Invoice"]))
    #expect(
      ModelDiagram(of: model).text(.mermaid) == """
        classDiagram
          namespace CRM {
            class Base {
              <<abstract>>
              id: integer 64
            }
            class Customer {
              name: string?
            }
          }
          namespace The_Ledger {
            class Invoice {
              customer: integer 64
            }
          }
          class Line
          Customer --|> Base
          Invoice "1" <--> "1..9" Line : lines / invoice
          Invoice --> "0..1" Line : cover
          Customer ..> "0..10" Invoice : invoices

        """)
  }

  @Test("a Graphviz drawing has stores as clusters, counts at both ends, dashed arrows across")
  func dot() throws {
    let model = try Self.model()
    let diagram = ModelDiagram(
      of: model,
      clusters: [
        .init("crm", entities: ["Customer", "Line", "Nothing"]),
        .init("ledger", entities: ["Invoice", "Line"]),
      ])
    let table = { (name: String, attributes: String) in
      let row =
        attributes.isEmpty
        ? "" : "<tr><td align=\"left\" balign=\"left\">\(attributes)<br align=\"left\"/></td></tr>"
      return
        "[label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\"><tr><td><b>\(name)</b></td></tr>\(row)</table>>]"
    }
    #expect(
      diagram.text(.dot) == """
        digraph model {
          graph [rankdir=LR, compound=true];
          node [shape=none, margin=0];
          subgraph cluster_1 {
            label="crm";
            "Customer" \(table("Customer", "name: string?"));
          }
          subgraph cluster_2 {
            label="ledger";
            "Invoice" \(table("Invoice", "customer: integer 64"));
          }
          subgraph cluster_3 {
            label="crm + ledger";
            "Line" \(table("Line", ""));
          }
          "Base" \(table("<i>Base</i>", "id: integer 64"));
          "Customer" -> "Base" [arrowhead=empty];
          "Invoice" -> "Line" [dir=both, arrowhead=vee, arrowtail=vee, label="lines / invoice", taillabel="1", headlabel="1..9"];
          "Invoice" -> "Line" [arrowhead=vee, label="cover", headlabel="0..1"];
          "Customer" -> "Invoice" [style=dashed, arrowhead=vee, label="invoices", headlabel="0..10"];
        }

        """)
  }

  /// Names that a drawing could take for something else.
  static let oddNames = [
    "a \"b\"", "</td>&", "{x}", "class", "namespace", "o", "entity_1", "é 日本", "%% note", "a]b[\"c", "\\N\\",
    "x\n\u{1}y",
    "\"\u{301}q", "#35;", "~t~", "a:b;c", "9", "constructor", "style x:#;",
  ]

  private static func odd() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: self.oddNames.map { name in
        EntityDescription(name) {
          AttributeDescription(name, .integer16)
          RelationshipDescription("to " + name, to: name)
        }
      }, configurations: self.oddNames.map { ModelConfiguration($0, entities: [$0]) })
  }

  @Test("every name stands in a Mermaid diagram without being taken for syntax")
  func oddMermaid() throws {
    let lines = try ModelDiagram(of: Self.odd()).text(.mermaid).split(separator: "\n").dropFirst()
    let text = #"(?:[\p{Alphabetic}0-9 _.]|#[0-9]+;)+"#
    let name = #"[A-Za-z][A-Za-z0-9_]*"#
    let shapes = try [
      "  namespace \(name) \\{", #"    class \#(name)(?:\["\#(text)"\])? \{"#, "      \(text): integer 16",
      "    \\}",
      "  \\}",
      #"  \#(name) --> "0\.\.1" \#(name) : \#(text)"#,
    ].map { try Regex($0) }
    for line in lines {
      #expect(try shapes.contains { try $0.wholeMatch(in: line) != nil }, "\(line)")
    }
    let namespaces = lines.filter { $0.hasPrefix("  namespace ") }
    #expect(namespaces.count == Self.oddNames.count)
    #expect(Set(namespaces).count == namespaces.count)
    let classes = lines.filter { $0.hasPrefix("    class ") }.compactMap {
      $0.firstMatch(of: /class (\w+)/)?.1
    }
    #expect(Set(classes).count == Self.oddNames.count)
    #expect(Set(classes).isDisjoint(with: ["class", "namespace", "o", "constructor"]))
  }

  @Test("every name stands in a Graphviz drawing without being taken for syntax")
  func oddDOT() throws {
    let lines = try ModelDiagram(of: Self.odd()).text(.dot).split(separator: "\n").dropFirst()
    // Quotes by scalars, as Graphviz sees them.
    let quoted = #""(?:[^"\\\p{Cc}]|\\["\\])*""#
    let markup = #"(?:[^<>"&\p{Cc}]|&[a-z]+;)+"#
    let table =
      #"<<table border="0" cellborder="1" cellspacing="0"><tr><td><b>\#(markup)</b></td></tr>"#
      + #"<tr><td align="left" balign="left">\#(markup)<br align="left"/></td></tr></table>>"#
    let shapes = try [
      #"  graph \[rankdir=LR, compound=true\];"#, #"  node \[shape=none, margin=0\];"#,
      #"  subgraph cluster_[0-9]+ \{"#,
      "    label=\(quoted);", #"    \#(quoted) \[label=\#(table)\];"#, #"  \}"#, #"\}"#,
      #"  \#(quoted) -> \#(quoted) \[arrowhead=vee, label=\#(quoted), headlabel="0\.\.1"\];"#,
    ].map { try Regex($0).matchingSemantics(.unicodeScalar) }
    for line in lines {
      #expect(try shapes.contains { try $0.wholeMatch(in: line) != nil }, "\(line)")
    }
    #expect(lines.count { $0.contains("label=<<") } == Self.oddNames.count)
  }

  @Test("a link to the entity itself is one line, an inverse that leads elsewhere is no pair")
  func selfLinks() throws {
    let model = try ManagedObjectModel {
      EntityDescription("Part") {
        RelationshipDescription("whole", to: "Part", inverse: "parts")
        RelationshipDescription("parts", to: "Part", .orderedMany, inverse: "whole")
        RelationshipDescription("twin", to: "Part", inverse: "twin")
      }
    }
    let lines = ModelDiagram(of: model).text(.mermaid).split(separator: "\n").filter { $0.contains("-->") }
    #expect(
      lines == [
        #"  Part "0..*" <--> "0..1" Part : whole / parts"#, #"  Part "0..1" <--> "0..1" Part : twin"#,
      ])
  }
}
