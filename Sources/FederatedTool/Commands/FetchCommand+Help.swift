extension FetchCommand {
  static let description = CommandDescription(
    name: "fetch",
    summary: "Fetches objects of an entity from every store that holds it, and prints them.",
    operands: "ENTITY",
    options: [
      .init(name: "--federation", value: "FILE", help: "JSON file that names the model and the stores"),
      .init(
        name: "--model", value: "MODEL",
        help:
          "Xcode or compiled model, in place of a federation file;\nnot needed where the stores keep copies of it"
      ),
      .init(
        name: "--store", value: "TYPE=PATH[,configuration=NAME][,readonly]",
        help: "a store of the model; TYPE is xml, sqlite or auto", repeats: true),
      .init(name: "--where", value: "FORMAT", help: "only objects that the predicate accepts"),
      .init(
        name: "--linked", value: "'[WORD] PROPERTY[: FORMAT]'",
        help: "only objects whose fetched property finds some object that FORMAT accepts;\n"
          + "WORD is any, all, none or count > 3", repeats: true),
      .init(
        name: "--sort-linked", value: "PROPERTY.KEY,-PROPERTY.KEY:COMPARISON",
        help: "order by a key of the first object that a fetched property finds;\n--sort then orders ties"),
      .init(name: "--template", value: "NAME", help: "a fetch request of the model, which names the entity"),
      .init(
        name: "--set", value: "VARIABLE=LITERAL", help: "a value for a variable of the template",
        repeats: true),
      .init(
        name: "--sort", value: "KEY,-KEY:COMPARISON",
        help: "order, also through to-ones; a minus turns it round; COMPARISON is\n"
          + "caseInsensitive, localized, localizedCaseInsensitive or localizedStandard"),
      .init(name: "--limit", value: "N", help: "at most N objects"),
      .init(name: "--offset", value: "N", help: "leave out the first N"),
      .init(name: "--select", value: "KEY,…", help: "only these attributes"),
      .init(
        name: "--with", value: "PROPERTY.PROPERTY,…",
        help: "relationships and fetched properties to follow (json and jsonl)"),
      .init(name: "--no-subentities", value: nil, help: "only objects of exactly this entity"),
      .init(
        name: "--columns", value: "KEY,NAME=EXPRESSION,…",
        help:
          "lines of these columns in place of objects; sum, count, average,\nmin, max, median, mode, stddev are over all rows, or over each group"
      ),
      .init(name: "--group-by", value: "KEY,…", help: "one line for each combination of these columns"),
      .init(name: "--having", value: "FORMAT", help: "only groups that the predicate accepts"),
      .init(name: "--distinct", value: nil, help: "leave out lines that are there already"),
      .init(name: "--count", value: nil, help: "print only how many objects there are"),
      .init(
        name: "--explain", value: nil,
        help: "print how each store answers, in place of the objects:\nstatements, indexes, rows read"),
      .init(name: "--ids", value: nil, help: "print only the URI of each object, one a line"),
      .init(name: "--format", value: "table|json|jsonl|csv", help: "form of the results; json without it"),
    ],
    notes: """
      JSON is one array of objects: "$entity", "$id" (the URI), then the keys in model order. A to-many or
      fetched property is an array of such objects, a to-one an object or null. Decimals keep all their digits,
      dates are ISO 8601 in UTC with the fraction they need, binary data is base64; NaN, the infinities and nil
      are null. In CSV nil is an empty cell, the empty string is "".

      An explanation is text, or JSON with --format json or jsonl. It tells for each store the statement with
      its bindings, what ran in it and what in memory, the index, and the rows read and returned; then the same
      for every property of --with.

      A column is an attribute, a to-one, a path such as customer.name, or an expression, best with a name before
      an equals sign. Lines have the keys of --columns and no "$entity" or "$id"; a to-one is its object's URI.
      Aggregates pass nil over; count(SELF) counts rows. Lines are sorted, and groups chosen, by names too.

      Stores are opened for reading only; no file is changed and none is left behind.
      Wrong words, such as a predicate that is none, give exit status 2; what the model or the stores do not
      have gives 1.

      With --template ENTITY may be left out. --where adds to its condition; --sort, --limit and --offset take the
      place of its own. A LITERAL is one of the predicate language: 20, "text", nil, CAST(0, "NSDate").

      Examples:
        federate fetch Customer --federation shop.federation.json --with recentInvoices.lines
        federate fetch Invoice --model Shop.xcdatamodeld --store sqlite=ledger.sqlite,configuration=Ledger \\
          --where 'total > 1000 AND code BEGINSWITH "R-"' --sort -date,code --limit 5 --format table
        federate fetch Invoice --federation shop.federation.json --columns 'customerNumber,sum=sum(total)' \\
          --group-by customerNumber --having 'sum > 1000' --sort -sum --format csv
        federate fetch Invoice --federation shop.federation.json --where 'total > 1000' --explain
        federate fetch Customer --federation shop.federation.json --linked 'none largeInvoices: isPaid == NO'
        federate fetch Author --store sqlite=Library.sqlite --with feedbacks
      """)
}
