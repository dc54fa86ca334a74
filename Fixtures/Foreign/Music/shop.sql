-- The shop's database, as its own program made it: sqlite3 shop.sqlite < shop.sql
CREATE TABLE genre (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE product (
  sku TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  artist TEXT,
  genre_id INTEGER REFERENCES genre (id),
  price NUMERIC NOT NULL CHECK (price >= 0),
  released TEXT,
  added INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX product_genre ON product (genre_id);
INSERT INTO genre VALUES (1, 'Folk'), (2, 'Jazz'), (3, 'Opera');
INSERT INTO product VALUES
  ('LK-001', 'Harbour Songs', 'The Lighthouse Keepers', 1, 12.50, '2019-04-05', 1709366400),
  ('LK-002', 'Low Tide', 'The Lighthouse Keepers', 1, 14, '2023-10-20', 1709366460),
  ('UD-117', 'Night Train Variations', 'Ünal Dönmez', 2, 17.95, '2021-01-29', 1710000000),
  ('OP-900', 'Arias for Rainy Days', NULL, 3, 9.99, NULL, 1712000000);
