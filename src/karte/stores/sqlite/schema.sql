-- A workspace in one SQLite file. The file is the workspace, so no key names it; every key leads with the namespace.
-- Instants are microseconds since 1970-01-01T00:00Z, open ends 9223372036854775807, trust is in basis points.

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;

-- Who does what only one may do at a time.
CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
) WITHOUT ROWID;

-- One row per owner of memories ('' is the workspace itself), with the statistics of its lexical index.
CREATE TABLE namespace (
    ns INTEGER PRIMARY KEY,
    agent TEXT NOT NULL UNIQUE,
    role TEXT,
    created_at INTEGER NOT NULL,
    following INTEGER NOT NULL DEFAULT 1,
    documents INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0,
    compacted INTEGER NOT NULL DEFAULT 0,
    erasures INTEGER NOT NULL DEFAULT 0
);

-- What was stated; never changed. chain, statement, changed_at and tier are derived and belong to the present fold.
CREATE TABLE memory (
    ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    key BLOB NOT NULL,
    content_key BLOB NOT NULL,
    layer TEXT NOT NULL,
    content TEXT NOT NULL,
    is_nothing INTEGER NOT NULL,
    domain TEXT,
    repo TEXT,
    scope TEXT NOT NULL,
    subject TEXT,
    predicate TEXT,
    object TEXT,
    subject_name TEXT,
    predicate_name TEXT,
    object_name TEXT,
    chain INTEGER NOT NULL,
    statement INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    tier INTEGER,
    PRIMARY KEY (ns, number)
) WITHOUT ROWID;

CREATE UNIQUE INDEX memory_by_id ON memory (ns, id);
CREATE UNIQUE INDEX memory_by_key ON memory (ns, key);
CREATE INDEX memory_by_question ON memory (ns, subject_name, predicate_name, scope, object_name)
    WHERE subject_name IS NOT NULL;
CREATE INDEX memory_by_object ON memory (ns, object_name) WHERE object_name <> '';
CREATE INDEX memory_by_predicate ON memory (ns, predicate_name) WHERE predicate_name IS NOT NULL;
CREATE INDEX memory_by_chain ON memory (ns, chain, content_key) WHERE chain <> number;
CREATE INDEX memory_by_change ON memory (ns, changed_at);
CREATE INDEX memory_by_scope ON memory (ns, scope, number) WHERE scope <> '';
CREATE INDEX memory_aside ON memory (ns, number, layer) WHERE layer NOT IN ('episodic', 'semantic');

-- A conversation, run or file; its items are named where they are used.
CREATE TABLE source (
    source INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    container TEXT NOT NULL,
    UNIQUE (kind, container)
);

-- Who said a memory, when, and for which time. Words are kept only where they differ from the memory's.
CREATE TABLE assertion (
    ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    identity BLOB NOT NULL,
    source INTEGER NOT NULL,
    item TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    trust INTEGER NOT NULL,
    learned_at INTEGER NOT NULL,
    expires_at INTEGER,
    veracity TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    importance REAL NOT NULL,
    confidence REAL,
    topic TEXT,
    tags TEXT,
    metadata TEXT,
    source_event TEXT,
    session TEXT,
    speaker TEXT,
    wording TEXT,
    parents TEXT,
    rests_on TEXT,
    PRIMARY KEY (ns, number, identity)
) WITHOUT ROWID;

CREATE INDEX assertion_by_source ON assertion (ns, source, item);
CREATE INDEX assertion_by_time ON assertion (ns, observed_at);
CREATE INDEX assertion_by_start ON assertion (ns, valid_from) WHERE valid_from <> observed_at;
CREATE INDEX assertion_by_speaker ON assertion (ns, speaker) WHERE speaker IS NOT NULL;
CREATE INDEX assertion_by_session ON assertion (ns, session, observed_at) WHERE session IS NOT NULL;
CREATE INDEX assertion_observed ON assertion (ns, number) WHERE source_event = 'observation';

CREATE TABLE derivation (
    ns INTEGER NOT NULL,
    parent BLOB NOT NULL,
    number INTEGER NOT NULL,
    identity BLOB NOT NULL,
    PRIMARY KEY (ns, parent, number, identity)
) WITHOUT ROWID;

CREATE INDEX derivation_by_child ON derivation (ns, number);

-- What the command rested on that made an assertion: keys of memories and identities of assertions.
CREATE TABLE dependency (
    ns INTEGER NOT NULL,
    base BLOB NOT NULL,
    number INTEGER NOT NULL,
    identity BLOB NOT NULL,
    PRIMARY KEY (ns, base, number, identity)
) WITHOUT ROWID;

CREATE INDEX dependency_by_child ON dependency (ns, number);

CREATE TABLE link (
    ns INTEGER NOT NULL,
    identity BLOB NOT NULL,
    kind TEXT NOT NULL,
    left_end TEXT NOT NULL,
    right_end TEXT NOT NULL,
    source INTEGER NOT NULL,
    item TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    trust INTEGER NOT NULL,
    learned_at INTEGER NOT NULL,
    PRIMARY KEY (ns, identity)
) WITHOUT ROWID;

CREATE INDEX link_by_left ON link (ns, left_end);
CREATE INDEX link_by_right ON link (ns, right_end);
CREATE INDEX link_by_source ON link (ns, source, item);

CREATE TABLE withdrawal (
    ns INTEGER NOT NULL,
    target BLOB NOT NULL,
    source INTEGER NOT NULL,
    item TEXT NOT NULL,
    trust INTEGER NOT NULL,
    reason TEXT NOT NULL,
    event TEXT NOT NULL,
    learned_at INTEGER NOT NULL,
    PRIMARY KEY (ns, target, source, item, trust)
) WITHOUT ROWID;

CREATE INDEX withdrawal_by_source ON withdrawal (ns, source, item);

-- The present fold: which claim is in force when. free = 1 with the tier guard off, where that differs; is_nothing is
-- that of the memory that makes the statement.
CREATE TABLE segment (
    ns INTEGER NOT NULL,
    chain INTEGER NOT NULL,
    free INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    statement INTEGER NOT NULL,
    expires_at INTEGER,
    tier INTEGER NOT NULL,
    said_from INTEGER NOT NULL,
    observed_at INTEGER NOT NULL,
    trust INTEGER NOT NULL,
    tie INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    is_nothing INTEGER NOT NULL,
    PRIMARY KEY (ns, chain, free, valid_from)
) WITHOUT ROWID;

-- The lexical index: keyed hashes of terms, no words. Posting rows are ordered by chunk first, so that what is appended
-- to lies together.
CREATE TABLE document (
    ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    length INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (ns, number)
) WITHOUT ROWID;

CREATE TABLE posting (
    ns INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    term INTEGER NOT NULL,
    places BLOB NOT NULL,
    codes BLOB NOT NULL,
    PRIMARY KEY (ns, chunk, term)
) WITHOUT ROWID;

CREATE TABLE band (
    ns INTEGER NOT NULL,
    band INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (ns, band, number)
) WITHOUT ROWID;

CREATE TABLE likeness (
    ns INTEGER NOT NULL,
    one INTEGER NOT NULL,
    other INTEGER NOT NULL,
    difference TEXT NOT NULL,
    PRIMARY KEY (ns, one, other)
) WITHOUT ROWID;

CREATE INDEX likeness_by_other ON likeness (ns, other);

CREATE TABLE receipt (
    ns INTEGER NOT NULL,
    key TEXT NOT NULL,
    request BLOB NOT NULL,
    receipt TEXT NOT NULL,
    number INTEGER NOT NULL,
    assertion BLOB NOT NULL,
    PRIMARY KEY (ns, key)
) WITHOUT ROWID;

CREATE INDEX receipt_by_memory ON receipt (ns, number);
CREATE INDEX receipt_by_assertion ON receipt (ns, assertion) WHERE assertion <> x'';

CREATE TABLE usage (
    ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    recalls INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (ns, number)
) WITHOUT ROWID;

-- What was moved out of recall, and when.
CREATE TABLE archived (
    ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (ns, number)
) WITHOUT ROWID;

-- Vectors by embedder: float16, little endian. A set is filled in by rising numbers, up to `reached` in a namespace.
-- `generation` rises when vectors vanish: what was read of them into memory must then be read anew.
CREATE TABLE vector_set (
    vector_set INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    active INTEGER NOT NULL,
    UNIQUE (name, version, dimensions)
);

CREATE TABLE vector (
    ns INTEGER NOT NULL,
    vector_set INTEGER NOT NULL,
    number INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (ns, vector_set, number)
) WITHOUT ROWID;

CREATE TABLE vector_reach (
    ns INTEGER NOT NULL,
    vector_set INTEGER NOT NULL,
    reached INTEGER NOT NULL,
    PRIMARY KEY (ns, vector_set)
) WITHOUT ROWID;

CREATE TABLE vector_generation (
    ns INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL
);

-- The memories up to `reached` whose vectors went because they are shown in other words now.
CREATE TABLE vector_missing (
    ns INTEGER NOT NULL,
    vector_set INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (ns, vector_set, number)
) WITHOUT ROWID;

-- What waits for a person, or was decided. `held` is what would be kept of a memory that is not there.
CREATE TABLE review (
    ns INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    number INTEGER,
    target BLOB NOT NULL,
    source INTEGER NOT NULL,
    item TEXT NOT NULL,
    writer TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    why TEXT NOT NULL,
    held TEXT,
    state TEXT NOT NULL,
    decided_by TEXT,
    decided_at INTEGER,
    against INTEGER,
    PRIMARY KEY (ns, id)
) WITHOUT ROWID;

CREATE INDEX review_by_state ON review (ns, state, opened_at, id);
CREATE INDEX review_by_memory ON review (ns, number) WHERE number IS NOT NULL;
CREATE INDEX review_by_rival ON review (ns, against) WHERE against IS NOT NULL;
CREATE INDEX review_by_source ON review (ns, source, item);

-- What untrusted sources said lately, by keyed digests of source and subject.
CREATE TABLE burst (
    ns INTEGER NOT NULL,
    bucket BLOB NOT NULL,
    identity BLOB NOT NULL,
    learned_at INTEGER NOT NULL,
    number INTEGER,
    PRIMARY KEY (ns, bucket, identity)
) WITHOUT ROWID;

CREATE INDEX burst_by_time ON burst (ns, learned_at);
CREATE INDEX burst_by_identity ON burst (ns, identity);

-- Sources that are not learned from again, by a digest of their names with the key `origin_key` of `meta`.
CREATE TABLE block (
    digest BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    plan TEXT NOT NULL,
    blocked_by TEXT NOT NULL,
    at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE forget_plan (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL,
    plan TEXT NOT NULL,
    state TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    approved_by TEXT,
    receipt TEXT
) WITHOUT ROWID;

-- Credentials: a digest of each secret, never the secret.
CREATE TABLE token (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL,
    name TEXT NOT NULL,
    agent TEXT,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) WITHOUT ROWID;

-- A field of knowledge of the workspace or one repository, by the scope of the memories that belong to it.
CREATE TABLE domain (
    scope TEXT PRIMARY KEY,
    name TEXT,
    repo TEXT,
    label TEXT NOT NULL,
    description TEXT NOT NULL,
    confidential INTEGER NOT NULL,
    usual TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- What an agent or a role may do in a domain.
CREATE TABLE domain_grant (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    PRIMARY KEY (scope, kind, name)
) WITHOUT ROWID;

-- What changed standing, each line with the digest of the one before. Lines are added at the end and never changed; the
-- triggers are against mistakes, the digests against whoever takes the triggers away.
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    owner TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    previous BLOB NOT NULL,
    digest BLOB NOT NULL
);

CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE sequence >= NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_is_not_cut BEFORE DELETE ON audit
WHEN NOT EXISTS (SELECT 1 FROM meta WHERE name = 'made_with' AND value LIKE '{"filling"%')
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- What the planner is told once about the sizes of tables, for it would else scan a namespace by its primary key.
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 VALUES
    ('memory', 'memory_aside', '1000 10 1 1'),
    ('memory', 'memory_by_scope', '100000 10000 1000 1'),
    ('memory', 'memory_by_chain', '1000000 100000 1000 10'),
    ('memory', 'memory_by_predicate', '1000000 100000 1000'),
    ('memory', 'memory_by_object', '1000000 100000 1000'),
    ('memory', 'memory_by_question', '1000000 100000 1000 10 1 1'),
    ('memory', 'memory_by_change', '1000000 100000 1'),
    ('memory', 'memory_by_key', '1000000 100000 1'),
    ('memory', 'memory_by_id', '1000000 100000 1'),
    ('memory', 'memory', '1000000 100000 1'),
    ('assertion', 'assertion_observed', '1000 10 1'),
    ('assertion', 'assertion_by_speaker', '1000000 100000 10000'),
    ('assertion', 'assertion_by_session', '1000000 100000 1000 10'),
    ('assertion', 'assertion_by_start', '1000000 100000 10'),
    ('assertion', 'assertion_by_time', '1000000 100000 10'),
    ('assertion', 'assertion_by_source', '1000000 100000 1000 10'),
    ('assertion', 'assertion', '1000000 100000 1000 1'),
    ('derivation', 'derivation_by_child', '1000000 100000 1000'),
    ('derivation', 'derivation', '1000000 100000 1000 10 1'),
    ('dependency', 'dependency_by_child', '1000000 100000 1000'),
    ('dependency', 'dependency', '1000000 100000 1000 10 1'),
    ('link', 'link_by_source', '1000000 100000 1000 10'),
    ('link', 'link_by_right', '1000000 100000 1000'),
    ('link', 'link_by_left', '1000000 100000 1000'),
    ('link', 'link', '1000000 100000 1'),
    ('withdrawal', 'withdrawal_by_source', '1000000 100000 1000 10'),
    ('withdrawal', 'withdrawal', '1000000 100000 1000 10 1 1'),
    ('segment', 'segment', '1000000 100000 1000 10 1'),
    ('document', 'document', '1000000 100000 1'),
    ('posting', 'posting', '1000000 100000 1000 1'),
    ('band', 'band', '1000000 100000 1000 1'),
    ('likeness', 'likeness_by_other', '1000000 100000 1000'),
    ('likeness', 'likeness', '1000000 100000 1000 1'),
    ('receipt', 'receipt_by_memory', '1000000 100000 1000'),
    ('receipt', 'receipt_by_assertion', '1000000 100000 10'),
    ('receipt', 'receipt', '1000000 100000 1'),
    ('archived', 'archived', '1000000 100000 1'),
    ('vector', 'vector', '1000000 100000 100000 1'),
    ('vector_reach', 'vector_reach', '1000 1 1'),
    ('vector_missing', 'vector_missing', '1000000 100000 100000 1'),
    ('review', 'review_by_source', '1000000 100000 1000 10'),
    ('review', 'review_by_memory', '1000000 100000 10'),
    ('review', 'review_by_state', '1000000 100000 10000 10 1'),
    ('review', 'review', '1000000 100000 1'),
    ('burst', 'burst_by_identity', '1000000 100000 10'),
    ('burst', 'burst_by_time', '1000000 100000 10'),
    ('burst', 'burst', '1000000 100000 10 1'),
    ('usage', 'usage', '1000000 100000 1');
