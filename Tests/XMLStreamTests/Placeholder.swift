// Tests of XMLStream begin here.
