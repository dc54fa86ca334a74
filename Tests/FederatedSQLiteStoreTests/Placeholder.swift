// Tests of FederatedSQLiteStore begin here.
