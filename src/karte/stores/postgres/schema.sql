-- All workspaces of one PostgreSQL database. Every key leads with the workspace, so that the tables can be spread over
-- machines by it. Instants are timestamptz with open ends at infinity, trust is in basis points, texts sort by code point.

-- One row: which schema this is, and the oldest one that a client must know to use it.
CREATE TABLE karte.edition (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    version integer NOT NULL,
    oldest_client integer NOT NULL
);

-- A workspace, by a number made from its name. Whoever writes locks this row first.
CREATE TABLE karte.workspace (
    workspace_id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    last_learned timestamptz NOT NULL,
    made_with text NOT NULL,
    lexicon_key bytea NOT NULL,
    origin_key bytea NOT NULL
);

-- Who does what only one may do at a time.
CREATE TABLE karte.lease (
    workspace_id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    holder text NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, name)
);

-- What each connection committed last. Where the answer to a COMMIT is lost, it is looked up here: the numbers that the
-- server gives to transactions are given out again after a crash.
CREATE TABLE karte.commit_mark (
    workspace_id bigint NOT NULL,
    line bytea NOT NULL,
    number bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, line)
) WITH (fillfactor = 50);

-- One row per owner of memories ('' is the workspace itself), with the statistics of its lexical index.
CREATE TABLE karte.namespace (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    agent text COLLATE "C" NOT NULL,
    role text,
    created_at timestamptz NOT NULL,
    following bigint NOT NULL DEFAULT 1,
    documents bigint NOT NULL DEFAULT 0,
    length bigint NOT NULL DEFAULT 0,
    compacted bigint NOT NULL DEFAULT 0,
    erasures bigint NOT NULL DEFAULT 0,
    agent_hash bigint GENERATED ALWAYS AS (hashtextextended(agent, 0)) STORED,
    PRIMARY KEY (workspace_id, ns)
) WITH (fillfactor = 50);

-- Names may be longer than a row of an index holds, so their hashes are indexed. The hashes are columns, since under
-- row-level security no index is entered by what a function makes of a column, unless it is declared to leak nothing.
CREATE UNIQUE INDEX namespace_by_agent ON karte.namespace (workspace_id, agent_hash);

-- What was stated; never changed. chain, statement, changed_at and tier are derived and belong to the present fold.
CREATE TABLE karte.memory (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    number bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    key bytea NOT NULL,
    content_key bytea NOT NULL,
    layer text NOT NULL,
    content text NOT NULL,
    is_nothing boolean NOT NULL,
    domain text,
    repo text,
    scope text COLLATE "C" NOT NULL,
    subject text,
    predicate text,
    object text,
    subject_name text COLLATE "C",
    predicate_name text COLLATE "C",
    object_name text COLLATE "C",
    chain bigint NOT NULL,
    statement bigint NOT NULL,
    changed_at timestamptz NOT NULL,
    tier integer,
    subject_hash bigint GENERATED ALWAYS AS (hashtextextended(subject_name, 0)) STORED,
    predicate_hash bigint GENERATED ALWAYS AS (hashtextextended(predicate_name, 0)) STORED,
    scope_hash bigint GENERATED ALWAYS AS (hashtextextended(scope, 0)) STORED,
    object_hash bigint GENERATED ALWAYS AS (hashtextextended(object_name, 0)) STORED,
    PRIMARY KEY (workspace_id, ns, number),
    UNIQUE (workspace_id, ns, id),
    UNIQUE (workspace_id, ns, key)
);

CREATE INDEX memory_by_question ON karte.memory (
    workspace_id, ns, subject_hash, predicate_hash, scope_hash
) WHERE subject_name IS NOT NULL;
CREATE INDEX memory_by_object ON karte.memory (workspace_id, ns, object_hash) WHERE object_name <> '';
CREATE INDEX memory_by_predicate ON karte.memory (workspace_id, ns, predicate_hash) WHERE predicate_name IS NOT NULL;
CREATE INDEX memory_by_chain ON karte.memory (workspace_id, ns, chain, content_key);
CREATE INDEX memory_by_change ON karte.memory (workspace_id, ns, changed_at);
CREATE INDEX memory_by_scope ON karte.memory (workspace_id, ns, scope_hash, number) WHERE scope <> '';
CREATE INDEX memory_aside ON karte.memory (workspace_id, ns, number) WHERE layer NOT IN ('episodic', 'semantic');

-- A conversation, run or file; its items are named where they are used.
CREATE TABLE karte.source (
    workspace_id bigint NOT NULL,
    source bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    container text COLLATE "C" NOT NULL,
    container_hash bigint GENERATED ALWAYS AS (hashtextextended(container, 0)) STORED,
    PRIMARY KEY (workspace_id, source)
);

CREATE UNIQUE INDEX source_by_name ON karte.source (workspace_id, kind, container_hash);

-- Who said a memory, when, and for which time. Words are kept only where they differ from the memory's.
CREATE TABLE karte.assertion (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    number bigint NOT NULL,
    identity bytea NOT NULL,
    source bigint NOT NULL,
    item text COLLATE "C" NOT NULL,
    observed_at timestamptz NOT NULL,
    valid_from timestamptz NOT NULL,
    valid_until timestamptz NOT NULL,
    trust integer NOT NULL,
    learned_at timestamptz NOT NULL,
    expires_at timestamptz,
    veracity text NOT NULL,
    memory_type text NOT NULL,
    importance double precision NOT NULL,
    confidence double precision,
    topic text,
    tags text,
    metadata text,
    role text,
    source_event text,
    session text COLLATE "C",
    speaker text COLLATE "C",
    wording text,
    parents text,
    rests_on text,
    speaker_hash bigint GENERATED ALWAYS AS (hashtextextended(speaker, 0)) STORED,
    session_hash bigint GENERATED ALWAYS AS (hashtextextended(session, 0)) STORED,
    PRIMARY KEY (workspace_id, ns, number, identity),
    CHECK (valid_from < valid_until)
);

CREATE INDEX assertion_by_source ON karte.assertion (workspace_id, source, ns);
CREATE INDEX assertion_by_time ON karte.assertion (workspace_id, ns, observed_at);
CREATE INDEX assertion_by_start ON karte.assertion (workspace_id, ns, valid_from) WHERE valid_from <> observed_at;
CREATE INDEX assertion_by_speaker ON karte.assertion (workspace_id, ns, speaker_hash) WHERE speaker IS NOT NULL;
CREATE INDEX assertion_by_session ON karte.assertion (workspace_id, ns, session_hash, observed_at, number)
    WHERE session IS NOT NULL;
CREATE INDEX assertion_observed ON karte.assertion (workspace_id, ns, number) WHERE source_event = 'observation';

CREATE TABLE karte.derivation (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    parent bytea NOT NULL,
    number bigint NOT NULL,
    identity bytea NOT NULL,
    PRIMARY KEY (workspace_id, ns, parent, number, identity)
);

CREATE INDEX derivation_by_child ON karte.derivation (workspace_id, ns, number);

-- What the command rested on that made an assertion: keys of memories and identities of assertions.
CREATE TABLE karte.dependency (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    base bytea NOT NULL,
    number bigint NOT NULL,
    identity bytea NOT NULL,
    PRIMARY KEY (workspace_id, ns, base, number, identity)
);

CREATE INDEX dependency_by_child ON karte.dependency (workspace_id, ns, number);

CREATE TABLE karte.link (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    identity bytea NOT NULL,
    kind text COLLATE "C" NOT NULL,
    left_end text COLLATE "C" NOT NULL,
    right_end text COLLATE "C" NOT NULL,
    source bigint NOT NULL,
    item text COLLATE "C" NOT NULL,
    observed_at timestamptz NOT NULL,
    trust integer NOT NULL,
    learned_at timestamptz NOT NULL,
    left_hash bigint GENERATED ALWAYS AS (hashtextextended(left_end, 0)) STORED,
    right_hash bigint GENERATED ALWAYS AS (hashtextextended(right_end, 0)) STORED,
    PRIMARY KEY (workspace_id, ns, identity)
);

CREATE INDEX link_by_left ON karte.link (workspace_id, ns, left_hash);
CREATE INDEX link_by_right ON karte.link (workspace_id, ns, right_hash);
CREATE INDEX link_by_source ON karte.link (workspace_id, source, ns);

CREATE TABLE karte.withdrawal (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    target bytea NOT NULL,
    source bigint NOT NULL,
    item text COLLATE "C" NOT NULL,
    trust integer NOT NULL,
    reason text NOT NULL,
    event text NOT NULL,
    learned_at timestamptz NOT NULL,
    item_hash bigint GENERATED ALWAYS AS (hashtextextended(item, 0)) STORED
);

CREATE UNIQUE INDEX withdrawal_by_target ON karte.withdrawal (workspace_id, ns, target, source, item_hash, trust);
CREATE INDEX withdrawal_by_source ON karte.withdrawal (workspace_id, source, ns);

-- The present fold: which claim is in force when. `free` with the tier guard off, where that differs. No two overlap.
CREATE TABLE karte.segment (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    chain bigint NOT NULL,
    free boolean NOT NULL,
    valid_from timestamptz NOT NULL,
    valid_until timestamptz NOT NULL,
    statement bigint NOT NULL,
    expires_at timestamptz,
    tier integer NOT NULL,
    said_from timestamptz NOT NULL,
    observed_at timestamptz NOT NULL,
    trust integer NOT NULL,
    tie bigint NOT NULL,
    mark bigint NOT NULL,
    PRIMARY KEY (workspace_id, ns, chain, free, valid_from),
    CONSTRAINT segments_do_not_overlap EXCLUDE USING gist (
        workspace_id WITH =, ns WITH =, chain WITH =, free WITH =, tstzrange(valid_from, valid_until) WITH &&
    )
);

-- The lexical index: keyed hashes of terms, no words.
CREATE TABLE karte.document (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    number bigint NOT NULL,
    length integer NOT NULL,
    hashes bytea NOT NULL,
    counts bytea NOT NULL,
    PRIMARY KEY (workspace_id, ns, number)
);

CREATE TABLE karte.posting (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    term bigint NOT NULL,
    chunk integer NOT NULL,
    places bytea NOT NULL,
    codes bytea NOT NULL,
    PRIMARY KEY (workspace_id, ns, term, chunk)
);

CREATE TABLE karte.band (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    band bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (workspace_id, ns, band, number)
);

CREATE TABLE karte.likeness (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    one bigint NOT NULL,
    other bigint NOT NULL,
    difference text NOT NULL,
    PRIMARY KEY (workspace_id, ns, one, other)
);

CREATE INDEX likeness_by_other ON karte.likeness (workspace_id, ns, other);

CREATE TABLE karte.receipt (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    request bytea NOT NULL,
    receipt text NOT NULL,
    number bigint NOT NULL,
    assertion bytea NOT NULL,
    key_hash bigint GENERATED ALWAYS AS (hashtextextended(key, 0)) STORED
);

CREATE UNIQUE INDEX receipt_by_key ON karte.receipt (workspace_id, ns, key_hash);
CREATE INDEX receipt_by_memory ON karte.receipt (workspace_id, ns, number);
CREATE INDEX receipt_by_assertion ON karte.receipt (workspace_id, ns, assertion) WHERE assertion <> '';

CREATE TABLE karte.usage (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    number bigint NOT NULL,
    recalls bigint NOT NULL,
    last timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, ns, number)
) WITH (fillfactor = 80);

-- What was moved out of recall, and when.
CREATE TABLE karte.archived (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    number bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, ns, number)
);

-- Vectors by embedder. A set is filled in by rising numbers, up to `reached` in a namespace.
-- `generation` rises when vectors vanish: what was read of them into memory must then be read anew.
CREATE TABLE karte.vector_set (
    workspace_id bigint NOT NULL,
    vector_set integer NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    dimensions integer NOT NULL,
    active boolean NOT NULL,
    PRIMARY KEY (workspace_id, vector_set),
    UNIQUE (workspace_id, name, version, dimensions)
);

CREATE TABLE karte.vector (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    vector_set integer NOT NULL,
    number bigint NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (workspace_id, ns, vector_set, number)
);

CREATE TABLE karte.vector_reach (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    vector_set integer NOT NULL,
    reached bigint NOT NULL,
    PRIMARY KEY (workspace_id, ns, vector_set)
);

CREATE TABLE karte.vector_generation (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    generation bigint NOT NULL,
    PRIMARY KEY (workspace_id, ns)
);

-- The memories up to `reached` whose vectors went because they are shown in other words now.
CREATE TABLE karte.vector_missing (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    vector_set integer NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (workspace_id, ns, vector_set, number)
);

-- What waits for a person, or was decided. `held` is what would be kept of a memory that is not there.
CREATE TABLE karte.review (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    memory_id text NOT NULL,
    number bigint,
    target bytea NOT NULL,
    source bigint NOT NULL,
    item text COLLATE "C" NOT NULL,
    writer text NOT NULL,
    opened_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    why text NOT NULL,
    held text,
    state text COLLATE "C" NOT NULL,
    decided_by text,
    decided_at timestamptz,
    against bigint,
    PRIMARY KEY (workspace_id, ns, id)
);

CREATE INDEX review_by_state ON karte.review (workspace_id, ns, state, opened_at, id);
CREATE INDEX review_by_memory ON karte.review (workspace_id, ns, number) WHERE number IS NOT NULL;
CREATE INDEX review_by_rival ON karte.review (workspace_id, ns, against) WHERE against IS NOT NULL;
CREATE INDEX review_by_source ON karte.review (workspace_id, source, ns);

-- What untrusted sources said lately, by keyed digests of source and subject.
CREATE TABLE karte.burst (
    workspace_id bigint NOT NULL,
    ns integer NOT NULL,
    bucket bytea NOT NULL,
    identity bytea NOT NULL,
    learned_at timestamptz NOT NULL,
    number bigint,
    PRIMARY KEY (workspace_id, ns, bucket, identity)
);

CREATE INDEX burst_by_time ON karte.burst (workspace_id, ns, learned_at);
CREATE INDEX burst_by_identity ON karte.burst (workspace_id, ns, identity);

-- Sources that are not learned from again, by a digest of their names with the key `origin_key` of the workspace.
CREATE TABLE karte.block (
    workspace_id bigint NOT NULL,
    digest bytea NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    blocked_by text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, digest)
);

CREATE TABLE karte.forget_plan (
    workspace_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    digest bytea NOT NULL,
    plan text NOT NULL,
    state text NOT NULL,
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    made_by text NOT NULL,
    approved_by text,
    receipt text,
    PRIMARY KEY (workspace_id, id)
);

-- Credentials: a digest of each secret, never the secret.
CREATE TABLE karte.token (
    workspace_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    agent text,
    scopes text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);

-- A field of knowledge of the workspace or one repository, by the scope of the memories that belong to it.
CREATE TABLE karte.domain (
    workspace_id bigint NOT NULL,
    scope text COLLATE "C" NOT NULL,
    name text,
    repo text,
    label text NOT NULL,
    description text NOT NULL,
    confidential boolean NOT NULL,
    usual text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    scope_hash bigint GENERATED ALWAYS AS (hashtextextended(scope, 0)) STORED
);

CREATE UNIQUE INDEX domain_by_scope ON karte.domain (workspace_id, scope_hash);

-- What an agent or a role may do in a domain.
CREATE TABLE karte.domain_grant (
    workspace_id bigint NOT NULL,
    scope text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    level text NOT NULL,
    scope_hash bigint GENERATED ALWAYS AS (hashtextextended(scope, 0)) STORED,
    name_hash bigint GENERATED ALWAYS AS (hashtextextended(name, 0)) STORED
);

CREATE UNIQUE INDEX domain_grant_by_grantee ON karte.domain_grant (workspace_id, scope_hash, kind, name_hash);

-- What changed standing, each line with the digest of the one before. Lines are added and never changed; they go only
-- with their workspace, or before it is filled anew. The trigger is against mistakes, the digests against whoever takes the trigger away.
CREATE TABLE karte.audit (
    workspace_id bigint NOT NULL,
    sequence bigint NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    owner text NOT NULL,
    target text NOT NULL,
    detail text NOT NULL,
    previous bytea NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (workspace_id, sequence)
);

CREATE FUNCTION karte.refuse_to_change_the_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (
        SELECT FROM karte.workspace AS w WHERE w.workspace_id = OLD.workspace_id AND NOT starts_with(w.made_with, '{"filling"')
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON karte.audit
    FOR EACH ROW EXECUTE FUNCTION karte.refuse_to_change_the_audit_log();
