-- name: last_learned
-- The latest system time given out.
SELECT last_learned FROM karte.workspace WHERE workspace_id = %(workspace)s;

-- name: made_with
-- What the kept fold and the index were made with.
SELECT made_with FROM karte.workspace WHERE workspace_id = %(workspace)s;

-- name: set_made_with
-- Say what the kept fold and the index were made with.
UPDATE karte.workspace SET made_with = %(mark)s WHERE workspace_id = %(workspace)s;

-- name: lexicon_key
-- The secret with which terms are hashed.
SELECT lexicon_key FROM karte.workspace WHERE workspace_id = %(workspace)s;

-- name: find_lease
-- Who holds a lease, and until when.
SELECT holder, until FROM karte.lease WHERE workspace_id = %(workspace)s AND name = %(name)s;

-- name: keep_lease
-- Keep a lease in the place of the one before.
INSERT INTO karte.lease VALUES (%(workspace)s, %(name)s, %(holder)s, %(until)s)
ON CONFLICT (workspace_id, name) DO UPDATE SET holder = excluded.holder, until = excluded.until;

-- name: remove_lease
-- Remove a lease.
DELETE FROM karte.lease WHERE workspace_id = %(workspace)s AND name = %(name)s;

-- name: learn
-- Take `count` system times after all before; gives the first. Sums of instants stand apart: Citus takes none in SET.
UPDATE karte.workspace AS w SET last_learned = t.last
FROM (
    SELECT f.first, f.first + (%(count)s - 1) * interval '1 microsecond' AS last
    FROM (
        SELECT greatest(%(now)s, last_learned + interval '1 microsecond') AS first FROM karte.workspace
        WHERE workspace_id = %(workspace)s
    ) AS f
) AS t
WHERE w.workspace_id = %(workspace)s RETURNING t.first;

-- name: set_last_learned
-- Say which system time was given out last.
UPDATE karte.workspace SET last_learned = %(last)s WHERE workspace_id = %(workspace)s;

-- name: find_namespace
-- The number of an owner's namespace.
SELECT ns FROM karte.namespace WHERE workspace_id = %(workspace)s
    AND agent_hash = hashtextextended(%(agent)s, 0) AND agent = %(agent)s;

-- name: find_agent
-- An agent by name.
SELECT agent, role, created_at FROM karte.namespace
WHERE workspace_id = %(workspace)s AND agent_hash = hashtextextended(%(agent)s, 0)
    AND agent = %(agent)s AND agent <> '';

-- name: all_agents
-- All agents by name.
SELECT agent, role, created_at FROM karte.namespace WHERE workspace_id = %(workspace)s AND agent <> '' ORDER BY agent;

-- name: add_agent
-- Keep an agent, or the new role of a known one.
INSERT INTO karte.namespace (workspace_id, ns, agent, role, created_at)
SELECT %(workspace)s, coalesce(max(ns), 0) + 1, %(agent)s::text, %(role)s::text, %(created_at)s
FROM karte.namespace WHERE workspace_id = %(workspace)s
ON CONFLICT (workspace_id, agent_hash) DO UPDATE SET role = excluded.role;

-- name: reserve_numbers
-- Take `count` numbers; gives the first.
UPDATE karte.namespace SET following = following + %(count)s WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    RETURNING following - %(count)s;

-- name: add_memory
-- Keep a new memory.
INSERT INTO karte.memory VALUES (
    %(workspace)s, %(ns)s, %(number)s, %(id)s, %(key)s, %(content_key)s, %(layer)s, %(content)s,
    %(is_nothing)s, %(domain)s, %(repo)s, %(scope)s,
    %(subject)s, %(predicate)s, %(object)s, %(subject_name)s, %(predicate_name)s, %(object_name)s,
    %(chain)s, %(statement)s, %(changed_at)s, %(tier)s
);

-- name: memories_by_number
-- Memories of these numbers.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: subjects
-- The subjects of these memories, in normal form.
SELECT m.number, m.subject_name
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = %(ns)s AND m.number = wanted.value
WHERE m.subject_name IS NOT NULL;

-- name: memories_by_key
-- Memories of these keys.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND key = ANY(%(keys)s::bytea[]);

-- name: memory_by_key
-- The memory of one key.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND key = %(key)s;

-- name: memories_by_id
-- Memories of these ids.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND id = ANY(%(ids)s::text[]);

-- name: about
-- Memories about these subjects, of one predicate, one scope and some objects ('' for none) where they are given.
SELECT number, chain FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND subject_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(subjects)s::text[]) AS t))
    AND subject_name = ANY(%(subjects)s::text[])
    AND (%(predicate)s::text IS NULL OR predicate_name = %(predicate)s)
    AND (%(scope)s::text IS NULL OR scope = %(scope)s)
    AND (%(objects)s::text[] IS NULL OR object_name = ANY(%(objects)s::text[]));

-- name: about_predicate
-- As `about`, where a predicate alone is given, so that the index finds it.
SELECT number, chain FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND subject_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(subjects)s::text[]) AS t))
    AND subject_name = ANY(%(subjects)s::text[])
    AND predicate_hash = hashtextextended(%(predicate)s, 0) AND predicate_name = %(predicate)s;

-- name: answering
-- As `about`, where predicate and scope are given, so that the index finds them.
SELECT number, chain FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND subject_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(subjects)s::text[]) AS t))
    AND subject_name = ANY(%(subjects)s::text[])
    AND predicate_hash = hashtextextended(%(predicate)s, 0) AND predicate_name = %(predicate)s
    AND scope_hash = hashtextextended(%(scope)s, 0) AND scope = %(scope)s;

-- name: answering_with
-- As `answering`, where objects are given too.
SELECT number, chain FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND subject_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(subjects)s::text[]) AS t))
    AND subject_name = ANY(%(subjects)s::text[])
    AND predicate_hash = hashtextextended(%(predicate)s, 0) AND predicate_name = %(predicate)s
    AND scope_hash = hashtextextended(%(scope)s, 0) AND scope = %(scope)s
    AND object_name = ANY(%(objects)s::text[]);

-- name: answering_any
-- Memories that answer any of these questions, each a subject, a predicate and a scope.
SELECT m.number FROM (
    SELECT q ->> 0 AS subject, hashtextextended(q ->> 0, 0) AS subject_hash,
        q ->> 1 AS predicate, hashtextextended(q ->> 1, 0) AS predicate_hash,
        q ->> 2 AS scope, hashtextextended(q ->> 2, 0) AS scope_hash
    FROM json_array_elements(%(questions)s::json) AS q OFFSET 0
) AS wanted
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = %(ns)s
    AND m.subject_hash = wanted.subject_hash AND m.subject_name = wanted.subject
    AND m.predicate_hash = wanted.predicate_hash AND m.predicate_name = wanted.predicate
    AND m.scope_hash = wanted.scope_hash AND m.scope = wanted.scope;

-- name: with_predicate
-- Memories with this predicate.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND predicate_hash = hashtextextended(%(predicate)s, 0) AND predicate_name = %(predicate)s;

-- name: in_scope
-- The newest memories of a domain's scope.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND scope_hash = hashtextextended(%(scope)s, 0) AND scope = %(scope)s AND scope <> ''
ORDER BY number DESC LIMIT %(count)s;

-- name: aside
-- The memories of layers that are not recalled.
SELECT number, layer FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND layer NOT IN ('episodic', 'semantic');

-- name: with_object
-- Memories with one of these objects.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND object_name <> ''
    AND object_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(objects)s::text[]) AS t))
    AND object_name = ANY(%(objects)s::text[]);

-- name: in_chain
-- Members of a chain.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s
    ORDER BY number;

-- name: in_chain_saying
-- Members of a chain with one content.
SELECT number FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s AND content_key = %(content_key)s
    ORDER BY number;

-- name: recent
-- The highest numbers below a bound, descending.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number < %(before)s
    ORDER BY number DESC LIMIT %(count)s;

-- name: count_memories
-- How many memories there are, without statements of nothing.
SELECT count(*) FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND NOT is_nothing;

-- name: place
-- Say to which chain and statement a memory belongs now.
UPDATE karte.memory SET chain = %(chain)s, statement = %(statement)s WHERE workspace_id = %(workspace)s
    AND ns = %(ns)s AND number = %(number)s;

-- name: heads
-- When chains changed last, and the tier of their claims.
SELECT number, changed_at, tier FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = ANY(%(chains)s::bigint[]);

-- name: set_head
-- Say when a chain changed, and the tier of its claims.
UPDATE karte.memory SET changed_at = %(changed_at)s, tier = %(tier)s WHERE workspace_id = %(workspace)s
    AND ns = %(ns)s AND number = %(chain)s;

-- name: segments
-- Segments of a chain that overlap a period, in time order.
SELECT valid_from, valid_until, tier, said_from, observed_at, trust, tie, mark, statement, expires_at
FROM karte.segment
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s AND free = %(free)s
    AND valid_from < %(end)s AND valid_until > %(start)s
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM karte.segment WHERE workspace_id = %(workspace)s AND ns = %(ns)s
            AND chain = %(chain)s AND free = %(free)s AND valid_from <= %(start)s),
        %(start)s
    )
ORDER BY valid_from;

-- name: beaten_segments
-- Segments of a chain that overlap a period and rank below a claim, in time order.
SELECT valid_from, valid_until, tier, said_from, observed_at, trust, tie, mark, statement, expires_at
FROM karte.segment
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s AND free = %(free)s
    AND valid_from < %(end)s AND valid_until > %(start)s
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM karte.segment WHERE workspace_id = %(workspace)s AND ns = %(ns)s
            AND chain = %(chain)s AND free = %(free)s AND valid_from <= %(start)s),
        %(start)s
    )
    AND (tier, said_from, observed_at, trust, tie, mark)
        < (%(tier)s, %(said_from)s, %(observed_at)s, %(trust)s, %(tie)s, %(mark)s)
ORDER BY valid_from;

-- name: covered
-- Where the segments that overlap a period begin and end, and whether they leave no gap between.
SELECT min(valid_from), max(valid_until),
    sum(least(valid_until, %(far)s) - valid_from) = least(max(valid_until), %(far)s) - min(valid_from)
FROM karte.segment
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s AND free = %(free)s
    AND valid_from < %(end)s AND valid_until > %(start)s
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM karte.segment WHERE workspace_id = %(workspace)s AND ns = %(ns)s
            AND chain = %(chain)s AND free = %(free)s AND valid_from <= %(start)s),
        %(start)s
    );

-- name: gaps
-- The gaps between the segments that overlap a period.
SELECT valid_until, following FROM (
    SELECT valid_until, lead(valid_from) OVER (ORDER BY valid_from) AS following
    FROM karte.segment
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s AND free = %(free)s
        AND valid_from < %(end)s AND valid_until > %(start)s
        AND valid_from >= coalesce(
            (SELECT max(valid_from) FROM karte.segment WHERE workspace_id = %(workspace)s AND ns = %(ns)s
                AND chain = %(chain)s AND free = %(free)s AND valid_from <= %(start)s),
            %(start)s
        )
) AS found WHERE following > valid_until;

-- name: remove_segment
-- Remove the segment that starts at an instant.
DELETE FROM karte.segment WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = %(chain)s
    AND free = %(free)s AND valid_from = %(valid_from)s;

-- name: add_segment
-- Keep a segment.
INSERT INTO karte.segment VALUES (
    %(workspace)s, %(ns)s, %(chain)s, %(free)s, %(valid_from)s, %(valid_until)s, %(statement)s, %(expires_at)s,
    %(tier)s, %(said_from)s, %(observed_at)s, %(trust)s, %(tie)s, %(mark)s
);

-- name: holding
-- Which of these memories' statements are in force at an instant and not expired: the newest start, then its end.
SELECT m.number, s.statement
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = %(ns)s AND m.number = wanted.value
JOIN karte.segment AS s ON s.workspace_id = %(workspace)s AND s.ns = %(ns)s AND s.chain = m.chain AND NOT s.free
    AND s.valid_from = (
        SELECT max(valid_from) FROM karte.segment
        WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = m.chain AND NOT free AND valid_from <= %(at)s
    )
WHERE s.valid_until > %(at)s AND s.statement = m.statement AND NOT m.is_nothing
    AND (s.expires_at IS NULL OR s.expires_at > %(now)s);

-- name: find_source
-- The number of a source.
SELECT source FROM karte.source
WHERE workspace_id = %(workspace)s AND kind = %(kind)s
    AND container_hash = hashtextextended(%(container)s, 0) AND container = %(container)s;

-- name: add_source
-- Keep a source; gives its number.
INSERT INTO karte.source (workspace_id, source, kind, container)
SELECT %(workspace)s, coalesce(max(source), 0) + 1, %(kind)s::text, %(container)s::text FROM karte.source
    WHERE workspace_id = %(workspace)s
RETURNING source;

-- name: add_assertion
-- Keep an assertion.
INSERT INTO karte.assertion VALUES (
    %(workspace)s, %(ns)s, %(number)s, %(identity)s, %(source)s, %(item)s, %(observed_at)s, %(valid_from)s,
    %(valid_until)s, %(trust)s, %(learned_at)s, %(expires_at)s, %(veracity)s, %(memory_type)s, %(importance)s, %(confidence)s, %(topic)s, %(tags)s, %(metadata)s::text,
    %(metadata)s::text::json ->> 'role', %(source_event)s,
    %(session)s, %(speaker)s, %(wording)s, %(parents)s, %(rests_on)s
);

-- name: has_assertion
-- Whether this very assertion is kept.
SELECT 1 FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s
    AND identity = %(identity)s;

-- name: remove_assertions
-- Remove assertions of a memory; gives their sources.
DELETE FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s
    AND identity = ANY(%(identities)s::bytea[])
RETURNING source;

-- name: reword_assertion
-- Say how the source of an assertion wrote it.
UPDATE karte.assertion SET wording = %(wording)s WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = %(number)s AND identity = %(identity)s;

-- name: assertions
-- All assertions of these memories.
SELECT a.number, m.key, s.kind, s.container, a.item, a.identity,
    a.observed_at, a.valid_from, a.valid_until, a.trust, a.learned_at, a.expires_at, a.veracity, a.memory_type,
    a.importance, a.confidence, a.topic, a.tags, a.metadata, a.source_event, a.session, a.speaker, a.wording, a.parents,
    a.rests_on
FROM karte.assertion AS a
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = a.ns AND m.number = a.number
JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = a.source
WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.number = ANY(%(numbers)s::bigint[]);

-- name: whose
-- The memories with one of these assertions, ascending.
SELECT DISTINCT number FROM karte.assertion
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND identity = ANY(%(identities)s::bytea[]) ORDER BY number;

-- name: said_by
-- The memories of which a source said something since a system time; all its items where `item` is empty.
SELECT DISTINCT number FROM karte.assertion
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND source = %(source)s
    AND (%(item)s = '' OR item = %(item)s) AND learned_at >= %(since)s;

-- name: add_derivation
-- Keep what an assertion was derived from.
INSERT INTO karte.derivation VALUES (%(workspace)s, %(ns)s, %(parent)s, %(number)s, %(identity)s);

-- name: remove_derivations
-- Remove what assertions were derived from.
DELETE FROM karte.derivation WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s
    AND identity = ANY(%(identities)s::bytea[]);

-- name: add_dependency
-- Keep what an assertion rests on.
INSERT INTO karte.dependency VALUES (%(workspace)s, %(ns)s, %(base)s, %(number)s, %(identity)s);

-- name: remove_dependencies
-- Remove what assertions rest on.
DELETE FROM karte.dependency WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s
    AND identity = ANY(%(identities)s::bytea[]);

-- name: resting_on
-- The memories with an assertion that rests on one of these.
SELECT DISTINCT d.number
FROM unnest(%(bases)s::bytea[]) AS wanted (value)
JOIN karte.dependency AS d ON d.workspace_id = %(workspace)s AND d.ns = %(ns)s AND d.base = wanted.value;

-- name: children
-- The memories derived from these.
SELECT DISTINCT d.number
FROM unnest(%(keys)s::bytea[]) AS wanted (value)
JOIN karte.derivation AS d ON d.workspace_id = %(workspace)s AND d.ns = %(ns)s AND d.parent = wanted.value;

-- name: derived
-- The memories with a derived assertion, ascending.
SELECT DISTINCT number FROM karte.derivation WHERE workspace_id = %(workspace)s AND ns = %(ns)s ORDER BY number;

-- name: add_link
-- Keep a link.
INSERT INTO karte.link VALUES (
    %(workspace)s, %(ns)s, %(identity)s, %(kind)s, %(left_end)s, %(right_end)s, %(source)s, %(item)s, %(observed_at)s, %(trust)s, %(learned_at)s
) ON CONFLICT DO NOTHING;

-- name: links_by_identity
-- The links of these identities.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM karte.link AS l JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = l.source
WHERE l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.identity = ANY(%(identities)s::bytea[]);

-- name: links_by
-- The links of a source; of all its items where `item` is empty.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM karte.link AS l JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = l.source
WHERE l.workspace_id = %(workspace)s AND l.ns = %(ns)s
    AND l.source = %(source)s AND (%(item)s = '' OR l.item = %(item)s);

-- name: remove_links
-- Remove links; gives their sources.
DELETE FROM karte.link WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND identity = ANY(%(identities)s::bytea[])
RETURNING source;

-- name: has_links
-- Whether there is any link at all.
SELECT EXISTS (SELECT 1 FROM karte.link WHERE workspace_id = %(workspace)s AND ns = %(ns)s);

-- name: links_of
-- Links with one of these ends on either side, of these kinds.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM karte.link AS l JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = l.source
WHERE l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.kind = ANY(%(kinds)s::text[])
    AND l.left_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
    AND l.left_end = ANY(%(ends)s::text[])
UNION
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM karte.link AS l JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = l.source
WHERE l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.kind = ANY(%(kinds)s::text[])
    AND l.right_hash
        = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
    AND l.right_end = ANY(%(ends)s::text[]);

-- name: links_of_kinds
-- All links of these kinds.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM karte.link AS l JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = l.source
WHERE l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.kind = ANY(%(kinds)s::text[]);

-- name: add_withdrawal
-- Keep a withdrawal; the first one of a target by an origin with the same trust stays.
INSERT INTO karte.withdrawal VALUES (%(workspace)s, %(ns)s, %(target)s, %(source)s, %(item)s, %(trust)s, %(reason)s, %(event)s, %(learned_at)s)
ON CONFLICT DO NOTHING;

-- name: withdrawals
-- All withdrawals of these targets.
SELECT w.target, s.kind, s.container, w.item, w.trust, w.reason, w.event, w.learned_at
FROM karte.withdrawal AS w JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = w.source
WHERE w.workspace_id = %(workspace)s AND w.ns = %(ns)s AND w.target = ANY(%(targets)s::bytea[]);

-- name: withdrawals_by
-- The withdrawals by a source; by all its items where `item` is empty.
SELECT w.target, s.kind, s.container, w.item, w.trust, w.reason, w.event, w.learned_at
FROM karte.withdrawal AS w JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = w.source
WHERE w.workspace_id = %(workspace)s AND w.ns = %(ns)s
    AND w.source = %(source)s AND (%(item)s = '' OR w.item = %(item)s);

-- name: remove_withdrawal
-- Remove one withdrawal.
DELETE FROM karte.withdrawal WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND target = %(target)s
    AND source = %(source)s AND item = %(item)s AND trust = %(trust)s;

-- name: remove_withdrawals_of
-- Remove the withdrawals of targets; gives their sources.
DELETE FROM karte.withdrawal WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND target = ANY(%(targets)s::bytea[])
RETURNING source;

-- name: sources
-- What each source of a namespace taught: how many records of each kind, learned when first and last.
SELECT s.kind, s.container, sum(t.assertions)::bigint, sum(t.links)::bigint, sum(t.withdrawals)::bigint,
    min(t.first), max(t.last)
FROM (
    SELECT source, count(*), 0, 0, min(learned_at), max(learned_at) FROM karte.assertion
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s GROUP BY source
    UNION ALL
    SELECT source, 0, count(*), 0, min(learned_at), max(learned_at) FROM karte.link
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s GROUP BY source
    UNION ALL
    SELECT source, 0, 0, count(*), min(learned_at), max(learned_at) FROM karte.withdrawal
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s GROUP BY source
) AS t (source, assertions, links, withdrawals, first, last)
JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = t.source
GROUP BY s.kind, s.container ORDER BY s.kind, s.container;

-- name: remove_unused_source
-- Remove a source if nothing names it any more.
DELETE FROM karte.source WHERE workspace_id = %(workspace)s AND source = %(source)s
    AND NOT EXISTS (
        SELECT 1 FROM karte.assertion AS a WHERE a.workspace_id = %(workspace)s AND a.source = %(source)s
    ) AND NOT EXISTS (
        SELECT 1 FROM karte.link AS l WHERE l.workspace_id = %(workspace)s AND l.source = %(source)s
    ) AND NOT EXISTS (
        SELECT 1 FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.source = %(source)s
    ) AND NOT EXISTS (
        SELECT 1 FROM karte.review AS r WHERE r.workspace_id = %(workspace)s AND r.source = %(source)s
    );

-- name: reword_memory
-- Show a memory in other words.
UPDATE karte.memory SET content = %(content)s, domain = %(domain)s, repo = %(repo)s,
    subject = %(subject)s, predicate = %(predicate)s, object = %(object)s
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s;

-- name: erase_memories
-- Remove memories.
DELETE FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_withdrawals
-- Remove the withdrawals of memories' assertions, and of the links that name them; gives their sources.
DELETE FROM karte.withdrawal WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND target = ANY(ARRAY(
    SELECT identity FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[])
    UNION ALL
    SELECT identity FROM karte.link WHERE workspace_id = %(workspace)s AND ns = %(ns)s
        AND left_hash = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
        AND left_end = ANY(%(ends)s::text[])
    UNION ALL
    SELECT identity FROM karte.link WHERE workspace_id = %(workspace)s AND ns = %(ns)s
        AND right_hash = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
        AND right_end = ANY(%(ends)s::text[])
)) RETURNING source;

-- name: erase_bursts
-- Remove memories' assertions from what sources said lately.
DELETE FROM karte.burst WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND identity = ANY(ARRAY(
    SELECT identity FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[])
));

-- name: erase_assertions
-- Remove memories' assertions; gives their sources.
DELETE FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[])
RETURNING source;

-- name: erase_derivations
-- Remove what memories were derived from.
DELETE FROM karte.derivation WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_dependencies
-- Remove what memories' assertions rest on.
DELETE FROM karte.dependency WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_links
-- Remove the links that name memories, by their keys in hexadecimal; gives their sources.
DELETE FROM karte.link WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND (
    left_hash = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
        AND left_end = ANY(%(ends)s::text[])
    OR right_hash = ANY(ARRAY(SELECT hashtextextended(t, 0) FROM unnest(%(ends)s::text[]) AS t))
        AND right_end = ANY(%(ends)s::text[])
) RETURNING source;

-- name: erase_likenesses
-- Remove memories' likenesses.
DELETE FROM karte.likeness WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND (one = ANY(%(numbers)s::bigint[]) OR other = ANY(%(numbers)s::bigint[]));

-- name: erase_receipts
-- Remove the receipts of memories.
DELETE FROM karte.receipt WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_usage
-- Remove the counters of memories.
DELETE FROM karte.usage WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_archived
-- Remove the marks of archived memories.
DELETE FROM karte.archived WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_reviews
-- Remove the reviews about memories; gives their sources.
DELETE FROM karte.review WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND (
        number IS NOT NULL AND number = ANY(%(numbers)s::bigint[])
        OR against IS NOT NULL AND against = ANY(%(numbers)s::bigint[])
    )
RETURNING source;

-- name: lexicon_size
-- The statistics of a namespace's index.
SELECT documents, length, compacted, following FROM karte.namespace WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: add_document
-- Keep a forward row.
INSERT INTO karte.document VALUES (%(workspace)s, %(ns)s, %(number)s, %(length)s, %(hashes)s, %(counts)s);

-- name: count_documents
-- Add to the statistics of a namespace's index; gives them.
UPDATE karte.namespace SET documents = documents + %(documents)s, length = length + %(length)s
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s
RETURNING documents, length, compacted, following;

-- name: tail_state
-- Up to where a namespace's index is compacted, and what else changes whenever its forward rows do.
SELECT compacted, documents, erasures FROM karte.namespace WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: tail
-- The forward rows that are not compacted.
SELECT number, length, hashes, counts FROM karte.document WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number > %(compacted)s ORDER BY number;

-- name: documents
-- Forward rows by number.
SELECT number, length, hashes, counts FROM karte.document
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = ANY(%(numbers)s::bigint[]) ORDER BY number;

-- name: postings
-- The posting rows of these terms in one chunk.
SELECT term, chunk, places, codes FROM karte.posting
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chunk = %(chunk)s AND term = ANY(%(terms)s::bigint[]);

-- name: append_posting
-- Append to a posting row.
INSERT INTO karte.posting AS p (workspace_id, ns, chunk, term, places, codes)
VALUES (%(workspace)s, %(ns)s, %(chunk)s, %(term)s, %(places)s, %(codes)s)
ON CONFLICT (workspace_id, ns, term, chunk)
DO UPDATE SET places = p.places || excluded.places, codes = p.codes || excluded.codes;

-- name: set_compacted
-- Say up to which number the index is compacted.
UPDATE karte.namespace SET compacted = %(compacted)s WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: read_posting
-- One posting row.
SELECT places, codes FROM karte.posting WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND term = %(term)s
    AND chunk = %(chunk)s;

-- name: write_posting
-- Replace one posting row.
UPDATE karte.posting SET places = %(places)s, codes = %(codes)s WHERE workspace_id = %(workspace)s
    AND ns = %(ns)s AND term = %(term)s AND chunk = %(chunk)s;

-- name: remove_posting
-- Remove one posting row.
DELETE FROM karte.posting WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND term = %(term)s AND chunk = %(chunk)s;

-- name: remove_document
-- Remove a forward row; gives what it held.
DELETE FROM karte.document WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s
    RETURNING length, hashes;

-- name: clear_documents
-- Remove all forward rows of a namespace.
DELETE FROM karte.document WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: clear_postings
-- Remove all posting rows of a namespace.
DELETE FROM karte.posting WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: clear_size
-- Set the statistics of a namespace's index to nothing.
UPDATE karte.namespace SET documents = 0, length = 0, compacted = 0 WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: find_receipt
-- The receipt under an idempotency key.
SELECT request, receipt, assertion FROM karte.receipt WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND key_hash = hashtextextended(%(key)s, 0) AND key = %(key)s;

-- name: receipts
-- The receipts of these memories.
SELECT number, key, request, receipt, assertion FROM karte.receipt WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = ANY(%(numbers)s::bigint[]) ORDER BY number, key;

-- name: keep_receipt
-- Keep a receipt under an idempotency key, in the place of the one before.
INSERT INTO karte.receipt VALUES (%(workspace)s, %(ns)s, %(key)s, %(request)s, %(receipt)s, %(number)s, %(assertion)s)
ON CONFLICT (workspace_id, ns, key_hash) DO UPDATE SET
    request = excluded.request, receipt = excluded.receipt, number = excluded.number, assertion = excluded.assertion;

-- name: remove_receipts
-- Remove the receipts that assertions earned.
DELETE FROM karte.receipt WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND assertion <> '' AND assertion = ANY(%(identities)s::bytea[]);

-- name: alike
-- Memories that have one of these bands of a fingerprint.
SELECT band, number FROM karte.band
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND band = ANY(%(bands)s::bigint[]);

-- name: taken_bands
-- Those of these bands of fingerprints that some memory has.
SELECT DISTINCT band FROM karte.band
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND band = ANY(%(bands)s::bigint[]);

-- name: add_band
-- Keep a band of a memory's fingerprint.
INSERT INTO karte.band VALUES (%(workspace)s, %(ns)s, %(band)s, %(number)s) ON CONFLICT DO NOTHING;

-- name: remove_band
-- Remove a band of a memory's fingerprint.
DELETE FROM karte.band WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND band = %(band)s AND number = %(number)s;

-- name: add_likeness
-- Keep a likeness.
INSERT INTO karte.likeness VALUES (%(workspace)s, %(ns)s, %(one)s, %(other)s, %(difference)s) ON CONFLICT DO NOTHING;

-- name: likenesses
-- The likenesses of these memories.
SELECT l.one, l.other, l.difference
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.likeness AS l ON l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.one = wanted.value
UNION
SELECT l.one, l.other, l.difference
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.likeness AS l ON l.workspace_id = %(workspace)s AND l.ns = %(ns)s AND l.other = wanted.value;

-- name: usages
-- The counters of these memories.
SELECT number, recalls, last FROM karte.usage WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = ANY(%(numbers)s::bigint[]);

-- name: count_usage
-- Count one recall of a memory that is still there.
INSERT INTO karte.usage AS u (workspace_id, ns, number, recalls, last)
SELECT workspace_id, ns, number, 1, %(at)s FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = %(number)s
ON CONFLICT (workspace_id, ns, number) DO UPDATE SET recalls = u.recalls + 1, last = greatest(u.last, excluded.last);

-- name: put_usage
-- Set the counter of a memory.
INSERT INTO karte.usage VALUES (%(workspace)s, %(ns)s, %(number)s, %(recalls)s, %(last)s)
ON CONFLICT (workspace_id, ns, number) DO UPDATE SET recalls = excluded.recalls, last = excluded.last;

-- name: turns
-- The assertions of these memories as parts of conversations.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.assertion AS a ON a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.number = wanted.value
ORDER BY a.number, a.observed_at;

-- name: observations
-- The highest numbers of memories with an observation, below one.
SELECT DISTINCT number FROM karte.assertion WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND source_event = 'observation' AND number < %(before)s ORDER BY number DESC LIMIT %(count)s;

-- name: turns_of_session
-- The assertions of a session, in the order of time.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM karte.assertion AS a WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s
    AND a.session_hash = hashtextextended(%(session)s, 0) AND a.session = %(session)s
    ORDER BY a.observed_at, a.number;

-- name: turns_before
-- The turns of a session before one of them, nearest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM karte.assertion AS a
WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s
    AND a.session_hash = hashtextextended(%(session)s, 0) AND a.session = %(session)s
    AND (a.observed_at, a.number) < (%(observed_at)s, %(number)s)
ORDER BY a.observed_at DESC, a.number DESC LIMIT %(count)s;

-- name: turns_after
-- The turns of a session after one of them, nearest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM karte.assertion AS a
WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s
    AND a.session_hash = hashtextextended(%(session)s, 0) AND a.session = %(session)s
    AND (a.observed_at, a.number) > (%(observed_at)s, %(number)s)
ORDER BY a.observed_at, a.number LIMIT %(count)s;

-- name: sessions
-- The sessions of a namespace with the instant of their first assertion that counts; one step in the index for each.
WITH RECURSIVE named (hash) AS (
    SELECT min(session_hash) FROM karte.assertion WHERE workspace_id = %(workspace)s
        AND ns = %(ns)s AND session IS NOT NULL
    UNION ALL
    SELECT following.hash FROM named CROSS JOIN LATERAL (
        SELECT min(session_hash) AS hash FROM karte.assertion
        WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND session IS NOT NULL
            AND session_hash > named.hash
    ) AS following WHERE named.hash IS NOT NULL
)
SELECT f.session, f.observed_at FROM named AS n CROSS JOIN LATERAL (
    SELECT a.session, a.observed_at FROM karte.assertion AS a
    WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.session IS NOT NULL
        AND a.session_hash = n.hash AND NOT EXISTS (
            SELECT 1 FROM karte.withdrawal AS w
            WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns AND w.target = a.identity
                AND (SELECT count(*) FROM unnest(%(tiers)s::bigint[]) AS t (least) WHERE t.least <= w.trust)
                    >= (SELECT count(*) FROM unnest(%(tiers)s::bigint[]) AS t (least) WHERE t.least <= a.trust)
        )
    ORDER BY a.observed_at LIMIT 1
) AS f
ORDER BY f.observed_at, f.session;

-- name: speakers
-- Who speaks in a namespace, in an assertion that counts; one step in the index for each.
WITH RECURSIVE named (hash) AS (
    SELECT min(speaker_hash) FROM karte.assertion WHERE workspace_id = %(workspace)s
        AND ns = %(ns)s AND speaker IS NOT NULL
    UNION ALL
    SELECT following.hash FROM named CROSS JOIN LATERAL (
        SELECT min(speaker_hash) AS hash FROM karte.assertion
        WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND speaker IS NOT NULL
            AND speaker_hash > named.hash
    ) AS following WHERE named.hash IS NOT NULL
)
SELECT f.speaker FROM named AS n CROSS JOIN LATERAL (
    SELECT a.speaker, a.observed_at FROM karte.assertion AS a
    WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.speaker IS NOT NULL
        AND a.speaker_hash = n.hash AND NOT EXISTS (
            SELECT 1 FROM karte.withdrawal AS w
            WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns AND w.target = a.identity
                AND (SELECT count(*) FROM unnest(%(tiers)s::bigint[]) AS t (least) WHERE t.least <= w.trust)
                    >= (SELECT count(*) FROM unnest(%(tiers)s::bigint[]) AS t (least) WHERE t.least <= a.trust)
        )
    LIMIT 1
) AS f
ORDER BY f.speaker;

-- name: observed_between
-- The assertions observed in a period, latest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM karte.assertion AS a WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.observed_at >= %(start)s
    AND a.observed_at < %(end)s
ORDER BY a.observed_at DESC, a.number DESC LIMIT %(count)s;

-- name: valid_between
-- The assertions valid from an instant of a period that is not when they were observed, latest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.role,
    (SELECT max(w.trust) FROM karte.withdrawal AS w WHERE w.workspace_id = %(workspace)s AND w.ns = a.ns
        AND w.target = a.identity)
FROM karte.assertion AS a
WHERE a.workspace_id = %(workspace)s AND a.ns = %(ns)s AND a.valid_from <> a.observed_at
    AND a.valid_from >= %(start)s AND a.valid_from < %(end)s
ORDER BY a.valid_from DESC, a.number DESC LIMIT %(count)s;

-- name: add_archived
-- Mark a memory that is there as archived.
INSERT INTO karte.archived (workspace_id, ns, number, at)
SELECT workspace_id, ns, number, %(at)s FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = %(number)s
ON CONFLICT DO NOTHING;

-- name: remove_archived
-- Take the mark of a memory away.
DELETE FROM karte.archived WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number = %(number)s;

-- name: has_archived
-- Whether any memory is marked as archived.
SELECT EXISTS (SELECT 1 FROM karte.archived WHERE workspace_id = %(workspace)s AND ns = %(ns)s);

-- name: archived
-- Those of these memories that are marked as archived.
SELECT number, at FROM karte.archived WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND number = ANY(%(numbers)s::bigint[]);

-- name: entered_archive
-- The highest numbers below a bound that were archived by an instant, descending.
SELECT number, at FROM karte.archived
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND number < %(before)s AND at <= %(until)s
    ORDER BY number DESC LIMIT %(count)s;

-- name: vector_sets
-- All sets of vectors, by number.
SELECT vector_set, name, version, dimensions, active FROM karte.vector_set WHERE workspace_id = %(workspace)s
    ORDER BY vector_set;

-- name: find_vector_set
-- The number of the set of an embedder.
SELECT vector_set FROM karte.vector_set
WHERE workspace_id = %(workspace)s AND name = %(name)s AND version = %(version)s AND dimensions = %(dimensions)s;

-- name: add_vector_set
-- Make a set that is not active; gives its number.
INSERT INTO karte.vector_set (workspace_id, vector_set, name, version, dimensions, active)
SELECT %(workspace)s, coalesce(max(vector_set), 0) + 1, %(name)s::text, %(version)s::text, %(dimensions)s, false
FROM karte.vector_set WHERE workspace_id = %(workspace)s
RETURNING vector_set;

-- name: activate_vector_set
-- Let one set be the active one, and no other.
UPDATE karte.vector_set SET active = (vector_set = %(vector_set)s) WHERE workspace_id = %(workspace)s;

-- name: drop_vector_set
-- Remove a set.
DELETE FROM karte.vector_set WHERE workspace_id = %(workspace)s AND vector_set = %(vector_set)s;

-- name: drop_vectors
-- Remove the vectors of a set.
DELETE FROM karte.vector WHERE workspace_id = %(workspace)s AND vector_set = %(vector_set)s;

-- name: drop_reach
-- Remove up to where a set was filled in.
DELETE FROM karte.vector_reach WHERE workspace_id = %(workspace)s AND vector_set = %(vector_set)s;

-- name: raise_generation_by_set
-- Let everybody who read vectors of a set read anew.
INSERT INTO karte.vector_generation AS g (workspace_id, ns, generation)
SELECT workspace_id, ns, 1 FROM karte.vector_reach WHERE workspace_id = %(workspace)s AND vector_set = %(vector_set)s
ON CONFLICT (workspace_id, ns) DO UPDATE SET generation = g.generation + 1;

-- name: raise_generation_by_memories
-- Let everybody who read vectors of memories read anew.
INSERT INTO karte.vector_generation AS g (workspace_id, ns, generation)
SELECT DISTINCT workspace_id, ns, 1 FROM karte.vector WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND vector_set = ANY(
    ARRAY(SELECT vector_set FROM karte.vector_set WHERE workspace_id = %(workspace)s)
) AND number = ANY(%(numbers)s::bigint[])
ON CONFLICT (workspace_id, ns) DO UPDATE SET generation = g.generation + 1;

-- name: raise_generation
-- Let everybody who read vectors of a namespace read anew.
INSERT INTO karte.vector_generation AS g (workspace_id, ns, generation) VALUES (%(workspace)s, %(ns)s, 1)
ON CONFLICT (workspace_id, ns) DO UPDATE SET generation = g.generation + 1;

-- name: erase_vectors
-- Remove memories' vectors.
DELETE FROM karte.vector WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = ANY(
    ARRAY(SELECT vector_set FROM karte.vector_set WHERE workspace_id = %(workspace)s)
) AND number = ANY(%(numbers)s::bigint[]);

-- name: erase_missing
-- Let memories wait for no vectors any more.
DELETE FROM karte.vector_missing WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = ANY(
    ARRAY(SELECT vector_set FROM karte.vector_set WHERE workspace_id = %(workspace)s)
) AND number = ANY(%(numbers)s::bigint[]);

-- name: miss_vectors
-- Let a memory wait for new vectors in every set that was filled in beyond it.
INSERT INTO karte.vector_missing (workspace_id, ns, vector_set, number)
SELECT workspace_id, ns, vector_set, %(number)s FROM karte.vector_reach
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = ANY(
    ARRAY(SELECT vector_set FROM karte.vector_set WHERE workspace_id = %(workspace)s)
) AND reached >= %(number)s
ON CONFLICT DO NOTHING;

-- name: missing_vectors
-- The memories that wait for a new vector in a set, ascending.
SELECT number FROM karte.vector_missing WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND vector_set = %(vector_set)s ORDER BY number;

-- name: clear_missing
-- Let no memory wait for a new vector in a set.
DELETE FROM karte.vector_missing WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = %(vector_set)s;

-- name: add_missing
-- Let a memory wait for a new vector in a set.
INSERT INTO karte.vector_missing VALUES (%(workspace)s, %(ns)s, %(vector_set)s, %(number)s) ON CONFLICT DO NOTHING;

-- name: drop_missing
-- Let no memory wait for a vector of a set that goes.
DELETE FROM karte.vector_missing WHERE workspace_id = %(workspace)s AND vector_set = %(vector_set)s;

-- name: last_vector
-- The highest memory with a vector in a set.
SELECT max(number) FROM karte.vector WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = %(vector_set)s;

-- name: generation
-- How often vectors of a namespace vanished.
SELECT generation FROM karte.vector_generation WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: reached
-- Up to which memory a set is filled in.
SELECT reached FROM karte.vector_reach WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND vector_set = %(vector_set)s;

-- name: reach
-- Say up to which memory a set is filled in; never back.
INSERT INTO karte.vector_reach AS r VALUES (%(workspace)s, %(ns)s, %(vector_set)s, %(reached)s)
ON CONFLICT (workspace_id, ns, vector_set) DO UPDATE SET reached = greatest(r.reached, excluded.reached);

-- name: add_vector
-- Keep a vector; the first one of a memory stays.
INSERT INTO karte.vector VALUES (%(workspace)s, %(ns)s, %(vector_set)s, %(number)s, %(vector)s) ON CONFLICT DO NOTHING;

-- name: vectors_since
-- The vectors of memories above a number, ascending.
SELECT number, vector FROM karte.vector WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND vector_set = %(vector_set)s AND number > %(after)s ORDER BY number;

-- name: vectors
-- The vectors of these memories.
SELECT number, vector FROM karte.vector
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND vector_set = %(vector_set)s
    AND number = ANY(%(numbers)s::bigint[]);

-- name: changed_since
-- The memories whose chain changed after a system time.
SELECT number FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND changed_at > %(since)s
UNION
SELECT m.number FROM karte.memory AS head CROSS JOIN LATERAL (
    SELECT number FROM karte.memory
    WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND chain = head.number AND chain <> number OFFSET 0
) AS m
WHERE head.workspace_id = %(workspace)s AND head.ns = %(ns)s AND head.changed_at > %(since)s
ORDER BY number;

-- name: erasures
-- How often memories of a namespace were erased, or their texts taken out of the index.
SELECT erasures FROM karte.namespace WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: count_erasure
-- Let everybody who read a whole namespace read anew.
UPDATE karte.namespace SET erasures = erasures + 1 WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: all_triples
-- All memories with a triple that state a value.
SELECT number, subject, predicate, object, subject_name, predicate_name, object_name
FROM karte.memory
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND subject_name IS NOT NULL AND NOT is_nothing ORDER BY number;

-- name: triples
-- Those of these memories that state a value with a triple.
SELECT m.number, m.subject, m.predicate, m.object, m.subject_name, m.predicate_name, m.object_name
FROM unnest(%(numbers)s::bigint[]) AS wanted (value) JOIN karte.memory AS m ON m.workspace_id = %(workspace)s
    AND m.ns = %(ns)s AND m.number = wanted.value
WHERE m.subject_name IS NOT NULL AND NOT m.is_nothing ORDER BY m.number;

-- name: all_texts
-- All memories without a triple that state something.
SELECT number, content FROM karte.memory WHERE workspace_id = %(workspace)s AND ns = %(ns)s
    AND subject_name IS NULL AND NOT is_nothing ORDER BY number;

-- name: texts
-- Those of these memories that state something without a triple.
SELECT m.number, m.content FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = %(ns)s AND m.number = wanted.value
WHERE m.subject_name IS NULL AND NOT m.is_nothing ORDER BY m.number;

-- name: spells
-- When the statements of these memories are in force.
SELECT m.number, s.valid_from, s.valid_until, s.expires_at, s.trust
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.memory AS m ON m.workspace_id = %(workspace)s AND m.ns = %(ns)s AND m.number = wanted.value
JOIN karte.segment AS s ON s.workspace_id = %(workspace)s AND s.ns = %(ns)s AND s.chain = m.chain AND NOT s.free
    AND s.statement = m.statement
WHERE NOT m.is_nothing ORDER BY m.number, s.valid_from;

-- name: parents
-- What these memories were derived from.
SELECT DISTINCT d.number, p.number
FROM unnest(%(numbers)s::bigint[]) AS wanted (value)
JOIN karte.derivation AS d ON d.workspace_id = %(workspace)s AND d.ns = %(ns)s AND d.number = wanted.value
JOIN karte.memory AS p ON p.workspace_id = %(workspace)s AND p.ns = %(ns)s AND p.key = d.parent
ORDER BY d.number, p.number;

-- name: add_review
-- Keep a review.
INSERT INTO karte.review VALUES (
    %(workspace)s, %(ns)s, %(id)s, %(kind)s, %(memory_id)s, %(number)s, %(target)s, %(source)s, %(item)s, %(writer)s,
    %(opened_at)s, %(expires_at)s, %(why)s, %(held)s, %(state)s, %(decided_by)s, %(decided_at)s,
    %(against)s
);

-- name: remove_reviews
-- Remove reviews; gives their sources.
DELETE FROM karte.review WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND id = ANY(%(ids)s::text[]) RETURNING source;

-- name: reviews_by_id
-- The reviews of these ids.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM karte.review AS r JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = r.source
WHERE r.workspace_id = %(workspace)s AND r.ns = %(ns)s AND r.id = ANY(%(ids)s::text[]);

-- name: reviews_in_state
-- The newest reviews in a state, latest first.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM karte.review AS r JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = r.source
WHERE r.workspace_id = %(workspace)s AND r.ns = %(ns)s AND r.state = %(state)s
ORDER BY r.opened_at DESC, r.id DESC LIMIT %(count)s;

-- name: count_reviews
-- How many reviews there are.
SELECT count(*) FROM karte.review WHERE workspace_id = %(workspace)s AND ns = %(ns)s;

-- name: reviews_about
-- The reviews about these memories, by id.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM karte.review AS r JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = r.source
WHERE r.workspace_id = %(workspace)s AND r.ns = %(ns)s
    AND (
        r.number IS NOT NULL AND r.number = ANY(%(numbers)s::bigint[])
        OR r.against IS NOT NULL AND r.against = ANY(%(numbers)s::bigint[])
    )
ORDER BY r.id;

-- name: reviews_from
-- The reviews of what is from a source, by id; from all its items where `item` is empty.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM karte.review AS r JOIN karte.source AS s ON s.workspace_id = %(workspace)s AND s.source = r.source
WHERE r.workspace_id = %(workspace)s AND r.ns = %(ns)s
    AND r.source = %(source)s AND (%(item)s = '' OR r.item = %(item)s) ORDER BY r.id;

-- name: add_burst
-- Keep a statement in a bucket, in the place of the one of its identity.
INSERT INTO karte.burst (workspace_id, ns, bucket, identity, learned_at, number)
VALUES (%(workspace)s, %(ns)s, %(bucket)s, %(identity)s, %(learned_at)s, %(number)s)
ON CONFLICT (workspace_id, ns, bucket, identity)
DO UPDATE SET learned_at = excluded.learned_at, number = excluded.number;

-- name: bursts_since
-- The statements of a bucket learned since a system time, in the order of time.
SELECT learned_at, identity, number FROM karte.burst
WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND bucket = %(bucket)s AND learned_at >= %(since)s
ORDER BY learned_at, identity;

-- name: drop_bursts
-- Remove the statements learned before a system time.
DELETE FROM karte.burst WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND learned_at < %(until)s;

-- name: remove_bursts
-- Remove the statements of these identities.
DELETE FROM karte.burst WHERE workspace_id = %(workspace)s AND ns = %(ns)s AND identity = ANY(%(identities)s::bytea[]);

-- name: origin_key
-- The secret with which names of sources are digested, and whether any source is blocked.
SELECT origin_key, EXISTS (SELECT 1 FROM karte.block WHERE workspace_id = %(workspace)s)
FROM karte.workspace WHERE workspace_id = %(workspace)s;

-- name: set_origin_key
-- Take over another secret with which names of sources are digested.
UPDATE karte.workspace SET origin_key = %(origin_key)s WHERE workspace_id = %(workspace)s;

-- name: add_block
-- Keep a block; the first one of a source stays.
INSERT INTO karte.block VALUES (%(workspace)s, %(digest)s, %(kind)s, %(plan)s, %(blocked_by)s, %(at)s)
ON CONFLICT DO NOTHING;

-- name: known_blocks
-- Those of these digests that are blocked.
SELECT digest FROM karte.block WHERE workspace_id = %(workspace)s AND digest = ANY(%(digests)s::bytea[]);

-- name: all_blocks
-- All blocks, in the order of time.
SELECT digest, kind, plan, blocked_by, at FROM karte.block WHERE workspace_id = %(workspace)s ORDER BY at, digest;

-- name: remove_block
-- Remove a block.
DELETE FROM karte.block WHERE workspace_id = %(workspace)s AND digest = %(digest)s;

-- name: keep_plan
-- Keep a plan in the place of the one with its id.
INSERT INTO karte.forget_plan VALUES (
    %(workspace)s, %(id)s, %(digest)s, %(plan)s, %(state)s, %(made_at)s, %(expires_at)s, %(made_by)s, %(approved_by)s,
    %(receipt)s
) ON CONFLICT (workspace_id, id) DO UPDATE SET digest = excluded.digest, plan = excluded.plan,
    state = excluded.state, made_at = excluded.made_at, expires_at = excluded.expires_at, made_by = excluded.made_by,
    approved_by = excluded.approved_by, receipt = excluded.receipt;

-- name: find_plan
-- The plan of an id.
SELECT id, digest, plan, state, made_at, expires_at, made_by, approved_by, receipt FROM karte.forget_plan
WHERE workspace_id = %(workspace)s AND id = %(id)s;

-- name: all_plans
-- All plans, in the order of time.
SELECT id, digest, plan, state, made_at, expires_at, made_by, approved_by, receipt FROM karte.forget_plan
WHERE workspace_id = %(workspace)s ORDER BY made_at, id;

-- name: remove_plan
-- Remove a plan.
DELETE FROM karte.forget_plan WHERE workspace_id = %(workspace)s AND id = %(id)s;

-- name: append_audit
-- Add a line to the audit log.
INSERT INTO karte.audit VALUES (
    %(workspace)s, %(sequence)s, %(at)s, %(actor)s, %(action)s, %(owner)s, %(target)s, %(detail)s, %(previous)s,
    %(digest)s
);

-- name: last_audit
-- The last line of the audit log.
SELECT sequence, at, actor, action, owner, target, detail, previous, digest FROM karte.audit
WHERE workspace_id = %(workspace)s ORDER BY sequence DESC LIMIT 1;

-- name: audit_after
-- The lines of the audit log above a sequence number.
SELECT sequence, at, actor, action, owner, target, detail, previous, digest FROM karte.audit
WHERE workspace_id = %(workspace)s AND sequence > %(after)s ORDER BY sequence LIMIT %(count)s;

-- name: keep_token
-- Keep a token in the place of the one with its id.
INSERT INTO karte.token VALUES (
    %(workspace)s, %(id)s, %(digest)s, %(name)s, %(agent)s, %(scopes)s, %(created_at)s, %(expires_at)s, %(revoked_at)s
) ON CONFLICT (workspace_id, id) DO UPDATE SET digest = excluded.digest, name = excluded.name, agent = excluded.agent,
    scopes = excluded.scopes, created_at = excluded.created_at, expires_at = excluded.expires_at,
    revoked_at = excluded.revoked_at;

-- name: find_token
-- The token of an id.
SELECT id, digest, name, agent, scopes, created_at, expires_at, revoked_at FROM karte.token
WHERE workspace_id = %(workspace)s AND id = %(id)s;

-- name: all_tokens
-- All tokens, in the order of time.
SELECT id, digest, name, agent, scopes, created_at, expires_at, revoked_at FROM karte.token
WHERE workspace_id = %(workspace)s ORDER BY created_at, id;

-- name: find_domain
-- The domain of a scope.
SELECT name, repo, label, description, confidential, usual, created_by, created_at FROM karte.domain
WHERE workspace_id = %(workspace)s AND scope_hash = hashtextextended(%(scope)s, 0) AND scope = %(scope)s;

-- name: all_domains
-- All domains by scope.
SELECT name, repo, label, description, confidential, usual, created_by, created_at FROM karte.domain
WHERE workspace_id = %(workspace)s ORDER BY scope;

-- name: keep_domain
-- Keep a domain in the place of the one with its scope.
INSERT INTO karte.domain VALUES (
    %(workspace)s, %(scope)s, %(name)s, %(repo)s, %(label)s, %(description)s, %(confidential)s, %(usual)s, %(created_by)s,
    %(created_at)s
) ON CONFLICT (workspace_id, scope_hash) DO UPDATE SET name = excluded.name, repo = excluded.repo, label = excluded.label,
    description = excluded.description, confidential = excluded.confidential, usual = excluded.usual,
    created_by = excluded.created_by, created_at = excluded.created_at;

-- name: all_grants
-- All grants, by scope, kind of grantee and name.
SELECT scope, kind, name, level FROM karte.domain_grant WHERE workspace_id = %(workspace)s ORDER BY scope, kind, name;

-- name: keep_grant
-- Keep a grant in the place of the one to the same in that domain.
INSERT INTO karte.domain_grant VALUES (%(workspace)s, %(scope)s, %(kind)s, %(name)s, %(level)s)
ON CONFLICT (workspace_id, scope_hash, kind, name_hash) DO UPDATE SET level = excluded.level;

-- name: find_workspace
-- The name under which a workspace is kept.
SELECT name FROM karte.workspace WHERE workspace_id = %(workspace)s;

-- name: add_workspace
-- Keep a new workspace; one that is there stays as it is.
INSERT INTO karte.workspace (workspace_id, name, last_learned, made_with, lexicon_key, origin_key)
VALUES (%(workspace)s, %(name)s, '1970-01-01T00:00Z', '', %(lexicon_key)s, %(origin_key)s)
ON CONFLICT DO NOTHING;

-- name: add_own_namespace
-- Keep the namespace of a workspace itself.
INSERT INTO karte.namespace (workspace_id, ns, agent, created_at) VALUES (%(workspace)s, 1, '', '1970-01-01T00:00Z')
ON CONFLICT DO NOTHING;

-- name: lock
-- Wait for the turn to write in a workspace.
SELECT name FROM karte.workspace WHERE workspace_id = %(workspace)s FOR UPDATE;

-- name: leave_mark
-- Say what a connection commits, in the place of what it committed before.
INSERT INTO karte.commit_mark VALUES (%(workspace)s, %(line)s, %(number)s, statement_timestamp())
ON CONFLICT (workspace_id, line) DO UPDATE SET number = excluded.number, at = excluded.at;

-- name: find_mark
-- What a connection committed last.
SELECT number FROM karte.commit_mark WHERE workspace_id = %(workspace)s AND line = %(line)s;

-- name: forget_marks
-- Remove the marks of connections that nobody asks about any more.
DELETE FROM karte.commit_mark WHERE workspace_id = %(workspace)s
    AND at < statement_timestamp() - interval '10 minutes';

-- name: empty_memory
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.memory WHERE workspace_id = %(workspace)s;

-- name: empty_source
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.source WHERE workspace_id = %(workspace)s;

-- name: empty_assertion
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.assertion WHERE workspace_id = %(workspace)s;

-- name: empty_derivation
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.derivation WHERE workspace_id = %(workspace)s;

-- name: empty_dependency
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.dependency WHERE workspace_id = %(workspace)s;

-- name: empty_link
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.link WHERE workspace_id = %(workspace)s;

-- name: empty_withdrawal
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.withdrawal WHERE workspace_id = %(workspace)s;

-- name: empty_segment
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.segment WHERE workspace_id = %(workspace)s;

-- name: empty_document
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.document WHERE workspace_id = %(workspace)s;

-- name: empty_posting
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.posting WHERE workspace_id = %(workspace)s;

-- name: empty_band
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.band WHERE workspace_id = %(workspace)s;

-- name: empty_likeness
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.likeness WHERE workspace_id = %(workspace)s;

-- name: empty_receipt
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.receipt WHERE workspace_id = %(workspace)s;

-- name: empty_usage
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.usage WHERE workspace_id = %(workspace)s;

-- name: empty_archived
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.archived WHERE workspace_id = %(workspace)s;

-- name: empty_vector_set
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.vector_set WHERE workspace_id = %(workspace)s;

-- name: empty_vector
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.vector WHERE workspace_id = %(workspace)s;

-- name: empty_vector_reach
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.vector_reach WHERE workspace_id = %(workspace)s;

-- name: empty_vector_missing
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.vector_missing WHERE workspace_id = %(workspace)s;

-- name: empty_review
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.review WHERE workspace_id = %(workspace)s;

-- name: empty_burst
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.burst WHERE workspace_id = %(workspace)s;

-- name: empty_forget_plan
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.forget_plan WHERE workspace_id = %(workspace)s;

-- name: empty_audit
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.audit WHERE workspace_id = %(workspace)s;

-- name: empty_domain
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.domain WHERE workspace_id = %(workspace)s;

-- name: empty_domain_grant
-- Remove all of a workspace, before it is filled anew.
DELETE FROM karte.domain_grant WHERE workspace_id = %(workspace)s;

-- name: empty_namespace
-- Remove the agents of a workspace, before it is filled anew.
DELETE FROM karte.namespace WHERE workspace_id = %(workspace)s AND agent <> '';

-- name: empty_own_namespace
-- Let the numbers of memories begin anew.
UPDATE karte.namespace SET following = 1, documents = 0, length = 0, compacted = 0 WHERE workspace_id = %(workspace)s;

-- name: outdate_graphs
-- Let everybody who read graphs or tails of the workspace read anew.
UPDATE karte.namespace SET erasures = greatest(erasures + 1, %(turn)s) WHERE workspace_id = %(workspace)s;

-- name: outdate_vectors
-- Let everybody who read vectors of the workspace read anew.
INSERT INTO karte.vector_generation AS g (workspace_id, ns, generation)
SELECT workspace_id, ns, %(turn)s FROM karte.namespace WHERE workspace_id = %(workspace)s
ON CONFLICT (workspace_id, ns) DO UPDATE SET generation = greatest(g.generation + 1, excluded.generation);
