-- name: last_learned
-- The latest system time given out.
SELECT value FROM meta WHERE name = 'last_learned';

-- name: made_with
-- What the kept fold and the index were made with.
SELECT value FROM meta WHERE name = 'made_with';

-- name: set_made_with
-- Say what the kept fold and the index were made with.
UPDATE meta SET value = :mark WHERE name = 'made_with';

-- name: lexicon_key
-- The secret with which terms are hashed.
SELECT value FROM meta WHERE name = 'lexicon_key';

-- name: find_lease
-- Who holds a lease, and until when.
SELECT holder, until FROM lease WHERE name = :name;

-- name: keep_lease
-- Keep a lease in the place of the one before.
INSERT INTO lease (name, holder, until) VALUES (:name, :holder, :until)
ON CONFLICT DO UPDATE SET holder = excluded.holder, until = excluded.until;

-- name: remove_lease
-- Remove a lease.
DELETE FROM lease WHERE name = :name;

-- name: learn
-- Take :count system times after all before; gives the first.
UPDATE meta SET value = max(:now, value + 1) + :count - 1 WHERE name = 'last_learned' RETURNING value - :count + 1;

-- name: set_last_learned
-- Say which system time was given out last.
UPDATE meta SET value = :last WHERE name = 'last_learned';

-- name: find_namespace
-- The number of an owner's namespace.
SELECT ns FROM namespace WHERE agent = :agent;

-- name: find_agent
-- An agent by name.
SELECT agent, role, created_at FROM namespace WHERE agent = :agent AND agent <> '';

-- name: all_agents
-- All agents by name.
SELECT agent, role, created_at FROM namespace WHERE agent <> '' ORDER BY agent;

-- name: add_agent
-- Keep an agent, or the new role of a known one.
INSERT INTO namespace (agent, role, created_at) VALUES (:agent, :role, :created_at)
ON CONFLICT DO UPDATE SET role = excluded.role;

-- name: reserve_numbers
-- Take :count numbers; gives the first.
UPDATE namespace SET following = following + :count WHERE ns = :ns RETURNING following - :count;

-- name: add_memory
-- Keep a new memory.
INSERT INTO memory VALUES (
    :ns, :number, :id, :key, :content_key, :layer, :content, :is_nothing, :domain, :repo, :scope,
    :subject, :predicate, :object, :subject_name, :predicate_name, :object_name,
    :chain, :statement, :changed_at, :tier
);

-- name: memories_by_number
-- Memories of these numbers.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM memory WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: has_subjects
-- Whether any memory has a subject.
SELECT EXISTS (SELECT 1 FROM memory INDEXED BY memory_by_question WHERE ns = :ns AND subject_name IS NOT NULL);

-- name: subjects
-- The subjects of these memories, in normal form.
SELECT m.number, m.subject_name
FROM json_each(:numbers) AS wanted
CROSS JOIN memory AS m ON m.ns = :ns AND m.number = wanted.value
WHERE m.subject_name IS NOT NULL;

-- name: memories_by_key
-- Memories of these keys, given in hexadecimal.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM memory WHERE ns = :ns AND key IN (SELECT unhex(value) FROM json_each(:keys));

-- name: memory_by_key
-- The memory of one key.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM memory WHERE ns = :ns AND key = :key;

-- name: memories_by_id
-- Memories of these ids.
SELECT number, id, key, content_key, layer, content, is_nothing, domain, repo, subject, predicate, object,
    subject_name, predicate_name, object_name, chain, statement
FROM memory WHERE ns = :ns AND id IN (SELECT value FROM json_each(:ids));

-- name: about
-- Memories about these subjects, of one predicate, one scope and some objects ('' for none) where they are given.
SELECT number, chain FROM memory
WHERE ns = :ns AND subject_name IN (SELECT value FROM json_each(:subjects))
    AND (:predicate IS NULL OR predicate_name = :predicate) AND (:scope IS NULL OR scope = :scope)
    AND (:objects IS NULL OR object_name IN (SELECT value FROM json_each(:objects)));

-- name: about_predicate
-- As `about`, where a predicate alone is given, so that the index finds it.
SELECT number, chain FROM memory
WHERE ns = :ns AND subject_name IN (SELECT value FROM json_each(:subjects)) AND predicate_name = :predicate;

-- name: answering
-- As `about`, where predicate and scope are given, so that the index finds them.
SELECT number, chain FROM memory
WHERE ns = :ns AND subject_name IN (SELECT value FROM json_each(:subjects))
    AND predicate_name = :predicate AND scope = :scope;

-- name: answering_with
-- As `answering`, where objects are given too.
SELECT number, chain FROM memory
WHERE ns = :ns AND subject_name IN (SELECT value FROM json_each(:subjects))
    AND predicate_name = :predicate AND scope = :scope
    AND object_name IN (SELECT value FROM json_each(:objects));

-- name: answering_any
-- Memories that answer any of these questions, each a subject, a predicate and a scope.
SELECT m.number FROM json_each(:questions) AS q
CROSS JOIN memory AS m ON m.ns = :ns AND m.subject_name = q.value ->> 0
    AND m.predicate_name = q.value ->> 1 AND m.scope = q.value ->> 2;

-- name: with_predicate
-- Memories with this predicate.
SELECT number FROM memory WHERE ns = :ns AND predicate_name = :predicate;

-- name: in_scope
-- The newest memories of a domain's scope.
SELECT number FROM memory WHERE ns = :ns AND scope = :scope AND scope <> '' ORDER BY number DESC LIMIT :count;

-- name: aside
-- The memories of layers that are not recalled.
SELECT number, layer FROM memory INDEXED BY memory_aside WHERE ns = :ns AND layer NOT IN ('episodic', 'semantic');

-- name: with_object
-- Memories with one of these objects.
SELECT number FROM memory
WHERE ns = :ns AND object_name <> '' AND object_name IN (SELECT value FROM json_each(:objects));

-- name: in_chain
-- Members of a chain.
SELECT number FROM memory WHERE ns = :ns AND number = :chain AND chain = number
UNION ALL
SELECT number FROM memory WHERE ns = :ns AND chain = :chain AND chain <> number;

-- name: in_chain_saying
-- Members of a chain with one content.
SELECT number FROM memory WHERE ns = :ns AND number = :chain AND chain = number AND content_key = :content_key
UNION ALL
SELECT number FROM memory WHERE ns = :ns AND chain = :chain AND chain <> number AND content_key = :content_key;

-- name: recent
-- The highest numbers below a bound, descending.
SELECT number FROM memory WHERE ns = :ns AND number < :before ORDER BY number DESC LIMIT :count;

-- name: count_memories
-- How many memories there are, without statements of nothing.
SELECT count(*) FROM memory WHERE ns = :ns AND is_nothing = 0;

-- name: place
-- Say to which chain and statement a memory belongs now.
UPDATE memory SET chain = :chain, statement = :statement WHERE ns = :ns AND number = :number;

-- name: heads
-- When chains changed last, and the tier of their claims.
SELECT number, changed_at, tier FROM memory WHERE ns = :ns AND number IN (SELECT value FROM json_each(:chains));

-- name: set_head
-- Say when a chain changed, and the tier of its claims.
UPDATE memory SET changed_at = :changed_at, tier = :tier WHERE ns = :ns AND number = :chain;

-- name: segments
-- Segments of a chain that overlap a period, in time order.
SELECT valid_from, valid_until, tier, said_from, observed_at, trust, tie, mark, statement, expires_at
FROM segment
WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from < :end AND valid_until > :start
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM segment WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from <= :start),
        :start
    )
ORDER BY valid_from;

-- name: beaten_segments
-- Segments of a chain that overlap a period and rank below a claim, in time order.
SELECT valid_from, valid_until, tier, said_from, observed_at, trust, tie, mark, statement, expires_at
FROM segment
WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from < :end AND valid_until > :start
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM segment WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from <= :start),
        :start
    )
    AND (tier, said_from, observed_at, trust, tie, mark) < (:tier, :said_from, :observed_at, :trust, :tie, :mark)
ORDER BY valid_from;

-- name: covered
-- Where the segments that overlap a period begin and end, and whether they leave no gap between.
SELECT min(valid_from), max(valid_until),
    sum(min(valid_until, :far) - valid_from) = min(max(valid_until), :far) - min(valid_from)
FROM segment
WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from < :end AND valid_until > :start
    AND valid_from >= coalesce(
        (SELECT max(valid_from) FROM segment WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from <= :start),
        :start
    );

-- name: gaps
-- The gaps between the segments that overlap a period.
SELECT valid_until, following FROM (
    SELECT valid_until, lead(valid_from) OVER (ORDER BY valid_from) AS following
    FROM segment
    WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from < :end AND valid_until > :start
        AND valid_from >= coalesce(
            (SELECT max(valid_from) FROM segment WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from <= :start),
            :start
        )
) WHERE following > valid_until;

-- name: remove_segment
-- Remove the segment that starts at an instant.
DELETE FROM segment WHERE ns = :ns AND chain = :chain AND free = :free AND valid_from = :valid_from;

-- name: add_segment
-- Keep a segment.
INSERT INTO segment VALUES (
    :ns, :chain, :free, :valid_from, :valid_until, :statement, :expires_at,
    :tier, :said_from, :observed_at, :trust, :tie, :mark,
    coalesce((SELECT is_nothing FROM memory WHERE ns = :ns AND number = :statement), 0)
);

-- name: holding
-- Which of these memories' statements are in force at an instant and not expired: the newest start, then its end.
SELECT m.number, s.statement
FROM json_each(:numbers) AS wanted
CROSS JOIN memory AS m ON m.ns = :ns AND m.number = wanted.value
CROSS JOIN segment AS s ON s.ns = :ns AND s.chain = m.chain AND s.free = 0
    AND s.valid_from = (
        SELECT max(valid_from) FROM segment
        WHERE ns = :ns AND chain = m.chain AND free = 0 AND valid_from <= :at
    )
WHERE s.valid_until > :at AND s.statement = m.statement AND m.is_nothing = 0
    AND (s.expires_at IS NULL OR s.expires_at > :now);

-- name: heading
-- As `holding`, for memories that head their chain and are in force there: most are, and their rows are not read.
SELECT s.chain, s.statement
FROM json_each(:numbers) AS wanted
CROSS JOIN segment AS s ON s.ns = :ns AND s.chain = wanted.value AND s.free = 0
    AND s.valid_from = (
        SELECT max(valid_from) FROM segment
        WHERE ns = :ns AND chain = wanted.value AND free = 0 AND valid_from <= :at
    )
WHERE s.valid_until > :at AND s.statement = s.chain AND s.is_nothing = 0
    AND (s.expires_at IS NULL OR s.expires_at > :now);

-- name: find_source
-- The number of a source.
SELECT source FROM source WHERE kind = :kind AND container = :container;

-- name: add_source
-- Keep a source; gives its number.
INSERT INTO source (kind, container) VALUES (:kind, :container) RETURNING source;

-- name: add_assertion
-- Keep an assertion.
INSERT INTO assertion VALUES (
    :ns, :number, :identity, :source, :item, :observed_at, :valid_from, :valid_until, :trust, :learned_at,
    :expires_at, :veracity, :memory_type, :importance, :confidence, :topic, :tags, :metadata, :source_event,
    :session, :speaker, :wording, :parents, :rests_on
);

-- name: has_assertion
-- Whether this very assertion is kept.
SELECT 1 FROM assertion WHERE ns = :ns AND number = :number AND identity = :identity;

-- name: remove_assertions
-- Remove assertions of a memory, given in hexadecimal; gives their sources.
DELETE FROM assertion WHERE ns = :ns AND number = :number AND identity IN (SELECT unhex(value) FROM json_each(:identities))
RETURNING source;

-- name: reword_assertion
-- Say how the source of an assertion wrote it.
UPDATE assertion SET wording = :wording WHERE ns = :ns AND number = :number AND identity = :identity;

-- name: assertions
-- All assertions of these memories.
SELECT a.number, m.key, s.kind, s.container, a.item, a.identity,
    a.observed_at, a.valid_from, a.valid_until, a.trust, a.learned_at, a.expires_at, a.veracity, a.memory_type,
    a.importance, a.confidence, a.topic, a.tags, a.metadata, a.source_event, a.session, a.speaker, a.wording, a.parents,
    a.rests_on
FROM assertion AS a
JOIN memory AS m ON m.ns = a.ns AND m.number = a.number
JOIN source AS s ON s.source = a.source
WHERE a.ns = :ns AND a.number IN (SELECT value FROM json_each(:numbers));

-- name: whose
-- The memories with one of these assertions, given in hexadecimal, ascending.
SELECT DISTINCT number FROM assertion
WHERE ns = :ns AND identity IN (SELECT unhex(value) FROM json_each(:identities)) ORDER BY number;

-- name: said_by
-- The memories of which a source said something since a system time; all its items where :item is empty.
SELECT DISTINCT number FROM assertion
WHERE ns = :ns AND source = :source AND (:item = '' OR item = :item) AND learned_at >= :since;

-- name: add_derivation
-- Keep what an assertion was derived from.
INSERT INTO derivation VALUES (:ns, :parent, :number, :identity);

-- name: remove_derivations
-- Remove what assertions were derived from, given in hexadecimal.
DELETE FROM derivation
WHERE ns = :ns AND number = :number AND identity IN (SELECT unhex(value) FROM json_each(:identities));

-- name: add_dependency
-- Keep what an assertion rests on.
INSERT INTO dependency VALUES (:ns, :base, :number, :identity);

-- name: remove_dependencies
-- Remove what assertions rest on, given in hexadecimal.
DELETE FROM dependency
WHERE ns = :ns AND number = :number AND identity IN (SELECT unhex(value) FROM json_each(:identities));

-- name: resting_on
-- The memories with an assertion that rests on one of these, given in hexadecimal.
SELECT DISTINCT d.number
FROM json_each(:bases) AS wanted
CROSS JOIN dependency AS d ON d.ns = :ns AND d.base = unhex(wanted.value);

-- name: children
-- The memories derived from these.
SELECT DISTINCT d.number
FROM json_each(:keys) AS wanted
CROSS JOIN derivation AS d ON d.ns = :ns AND d.parent = unhex(wanted.value);

-- name: derived
-- The memories with a derived assertion, ascending.
SELECT DISTINCT number FROM derivation WHERE ns = :ns ORDER BY number;

-- name: add_link
-- Keep a link.
INSERT INTO link VALUES (
    :ns, :identity, :kind, :left_end, :right_end, :source, :item, :observed_at, :trust, :learned_at
) ON CONFLICT DO NOTHING;

-- name: links_by_identity
-- The links of these identities, given in hexadecimal.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM link AS l JOIN source AS s ON s.source = l.source
WHERE l.ns = :ns AND l.identity IN (SELECT unhex(value) FROM json_each(:identities));

-- name: links_by
-- The links of a source; of all its items where :item is empty.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM link AS l JOIN source AS s ON s.source = l.source
WHERE l.ns = :ns AND l.source = :source AND (:item = '' OR l.item = :item);

-- name: remove_links
-- Remove links, given in hexadecimal; gives their sources.
DELETE FROM link WHERE ns = :ns AND identity IN (SELECT unhex(value) FROM json_each(:identities)) RETURNING source;

-- name: has_links
-- Whether there is any link at all.
SELECT EXISTS (SELECT 1 FROM link WHERE ns = :ns);

-- name: links_of
-- Links with one of these ends on either side, of these kinds.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM link AS l JOIN source AS s ON s.source = l.source
WHERE l.ns = :ns AND l.kind IN (SELECT value FROM json_each(:kinds))
    AND l.left_end IN (SELECT value FROM json_each(:ends))
UNION
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM link AS l JOIN source AS s ON s.source = l.source
WHERE l.ns = :ns AND l.kind IN (SELECT value FROM json_each(:kinds))
    AND l.right_end IN (SELECT value FROM json_each(:ends));

-- name: links_of_kinds
-- All links of these kinds.
SELECT l.identity, l.kind, l.left_end, l.right_end, s.kind, s.container, l.item, l.observed_at, l.trust, l.learned_at
FROM link AS l JOIN source AS s ON s.source = l.source
WHERE l.ns = :ns AND l.kind IN (SELECT value FROM json_each(:kinds));

-- name: add_withdrawal
-- Keep a withdrawal; the first one of a target by an origin with the same trust stays.
INSERT INTO withdrawal VALUES (:ns, :target, :source, :item, :trust, :reason, :event, :learned_at)
ON CONFLICT DO NOTHING;

-- name: withdrawals
-- All withdrawals of these targets, given in hexadecimal.
SELECT w.target, s.kind, s.container, w.item, w.trust, w.reason, w.event, w.learned_at
FROM withdrawal AS w JOIN source AS s ON s.source = w.source
WHERE w.ns = :ns AND w.target IN (SELECT unhex(value) FROM json_each(:targets));

-- name: withdrawals_by
-- The withdrawals by a source; by all its items where :item is empty.
SELECT w.target, s.kind, s.container, w.item, w.trust, w.reason, w.event, w.learned_at
FROM withdrawal AS w JOIN source AS s ON s.source = w.source
WHERE w.ns = :ns AND w.source = :source AND (:item = '' OR w.item = :item);

-- name: remove_withdrawal
-- Remove one withdrawal.
DELETE FROM withdrawal
WHERE ns = :ns AND target = :target AND source = :source AND item = :item AND trust = :trust;

-- name: remove_withdrawals_of
-- Remove the withdrawals of targets, given in hexadecimal; gives their sources.
DELETE FROM withdrawal WHERE ns = :ns AND target IN (SELECT unhex(value) FROM json_each(:targets)) RETURNING source;

-- name: sources
-- What each source of a namespace taught: how many records of each kind, learned when first and last.
SELECT s.kind, s.container, sum(t.assertions), sum(t.links), sum(t.withdrawals), min(t.first), max(t.last)
FROM (
    SELECT source, count(*) AS assertions, 0 AS links, 0 AS withdrawals, min(learned_at) AS first, max(learned_at) AS last
    FROM assertion WHERE ns = :ns GROUP BY source
    UNION ALL
    SELECT source, 0, count(*), 0, min(learned_at), max(learned_at) FROM link WHERE ns = :ns GROUP BY source
    UNION ALL
    SELECT source, 0, 0, count(*), min(learned_at), max(learned_at) FROM withdrawal WHERE ns = :ns GROUP BY source
) AS t
JOIN source AS s ON s.source = t.source
GROUP BY s.kind, s.container ORDER BY s.kind, s.container;

-- name: remove_unused_source
-- Remove a source if nothing names it any more.
DELETE FROM source WHERE source = :source
    AND NOT EXISTS (SELECT 1 FROM namespace AS n CROSS JOIN assertion AS a ON a.ns = n.ns AND a.source = :source)
    AND NOT EXISTS (SELECT 1 FROM namespace AS n CROSS JOIN link AS l ON l.ns = n.ns AND l.source = :source)
    AND NOT EXISTS (SELECT 1 FROM namespace AS n CROSS JOIN withdrawal AS w ON w.ns = n.ns AND w.source = :source)
    AND NOT EXISTS (SELECT 1 FROM namespace AS n CROSS JOIN review AS r ON r.ns = n.ns AND r.source = :source);

-- name: reword_memory
-- Show a memory in other words.
UPDATE memory SET content = :content, domain = :domain, repo = :repo,
    subject = :subject, predicate = :predicate, object = :object
WHERE ns = :ns AND number = :number;

-- name: erase_memories
-- Remove memories.
DELETE FROM memory WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_withdrawals
-- Remove the withdrawals of memories' assertions, and of the links that name them; gives their sources.
DELETE FROM withdrawal WHERE ns = :ns AND target IN (
    SELECT identity FROM assertion WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers))
    UNION ALL
    SELECT identity FROM link WHERE ns = :ns AND left_end IN (SELECT value FROM json_each(:ends))
    UNION ALL
    SELECT identity FROM link WHERE ns = :ns AND right_end IN (SELECT value FROM json_each(:ends))
) RETURNING source;

-- name: erase_bursts
-- Remove memories' assertions from what sources said lately.
DELETE FROM burst WHERE ns = :ns AND identity IN (
    SELECT identity FROM assertion WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers))
);

-- name: erase_assertions
-- Remove memories' assertions; gives their sources.
DELETE FROM assertion WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers)) RETURNING source;

-- name: erase_derivations
-- Remove what memories were derived from.
DELETE FROM derivation WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_dependencies
-- Remove what memories' assertions rest on.
DELETE FROM dependency WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_links
-- Remove the links that name memories, by their keys in hexadecimal; gives their sources.
DELETE FROM link WHERE ns = :ns AND (
    left_end IN (SELECT value FROM json_each(:ends)) OR right_end IN (SELECT value FROM json_each(:ends))
) RETURNING source;

-- name: erase_likenesses
-- Remove memories' likenesses.
DELETE FROM likeness WHERE ns = :ns AND (
    one IN (SELECT value FROM json_each(:numbers)) OR other IN (SELECT value FROM json_each(:numbers))
);

-- name: erase_receipts
-- Remove the receipts of memories.
DELETE FROM receipt WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_usage
-- Remove the counters of memories.
DELETE FROM usage WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_archived
-- Remove the marks of archived memories.
DELETE FROM archived WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_reviews
-- Remove the reviews about memories; gives their sources.
DELETE FROM review WHERE ns = :ns AND id IN (
    SELECT id FROM review WHERE ns = :ns AND number IS NOT NULL AND number IN (SELECT value FROM json_each(:numbers))
    UNION
    SELECT id FROM review WHERE ns = :ns AND against IS NOT NULL AND against IN (SELECT value FROM json_each(:numbers))
)
RETURNING source;

-- name: lexicon_size
-- The statistics of a namespace's index.
SELECT documents, length, compacted, following FROM namespace WHERE ns = :ns;

-- name: add_document
-- Keep a forward row.
INSERT INTO document VALUES (:ns, :number, :length, :hashes, :counts);

-- name: count_documents
-- Add to the statistics of a namespace's index; gives them.
UPDATE namespace SET documents = documents + :documents, length = length + :length WHERE ns = :ns
RETURNING documents, length, compacted, following;

-- name: tail_state
-- Up to where a namespace's index is compacted, and what else changes whenever its forward rows do.
SELECT compacted, documents, erasures FROM namespace WHERE ns = :ns;

-- name: tail
-- The forward rows that are not compacted.
SELECT number, length, hashes, counts FROM document WHERE ns = :ns AND number > :compacted ORDER BY number;

-- name: documents
-- Forward rows by number.
SELECT d.number, d.length, d.hashes, d.counts
FROM json_each(:numbers) AS wanted CROSS JOIN document AS d ON d.ns = :ns AND d.number = wanted.value;

-- name: postings
-- The posting rows of these terms in one chunk.
SELECT term, chunk, places, codes FROM posting
WHERE ns = :ns AND chunk = :chunk AND term IN (SELECT value FROM json_each(:terms));

-- name: append_posting
-- Append to a posting row.
INSERT INTO posting VALUES (:ns, :chunk, :term, :places, :codes)
ON CONFLICT DO UPDATE SET places = CAST(places || excluded.places AS BLOB), codes = CAST(codes || excluded.codes AS BLOB);

-- name: set_compacted
-- Say up to which number the index is compacted.
UPDATE namespace SET compacted = :compacted WHERE ns = :ns;

-- name: read_posting
-- One posting row.
SELECT places, codes FROM posting WHERE ns = :ns AND term = :term AND chunk = :chunk;

-- name: write_posting
-- Replace one posting row.
UPDATE posting SET places = :places, codes = :codes WHERE ns = :ns AND term = :term AND chunk = :chunk;

-- name: remove_posting
-- Remove one posting row.
DELETE FROM posting WHERE ns = :ns AND term = :term AND chunk = :chunk;

-- name: remove_document
-- Remove a forward row; gives what it held.
DELETE FROM document WHERE ns = :ns AND number = :number RETURNING length, hashes;

-- name: clear_documents
-- Remove all forward rows of a namespace.
DELETE FROM document WHERE ns = :ns;

-- name: clear_postings
-- Remove all posting rows of a namespace.
DELETE FROM posting WHERE ns = :ns;

-- name: clear_size
-- Set the statistics of a namespace's index to nothing.
UPDATE namespace SET documents = 0, length = 0, compacted = 0 WHERE ns = :ns;

-- name: find_receipt
-- The receipt under an idempotency key.
SELECT request, receipt, assertion FROM receipt WHERE ns = :ns AND key = :key;

-- name: receipts
-- The receipts of these memories.
SELECT r.number, r.key, r.request, r.receipt, r.assertion
FROM json_each(:numbers) AS wanted
CROSS JOIN receipt AS r ON r.ns = :ns AND r.number = wanted.value
ORDER BY r.number, r.key;

-- name: keep_receipt
-- Keep a receipt under an idempotency key, in the place of the one before.
INSERT INTO receipt VALUES (:ns, :key, :request, :receipt, :number, :assertion)
ON CONFLICT (ns, key) DO UPDATE SET
    request = excluded.request, receipt = excluded.receipt, number = excluded.number, assertion = excluded.assertion;

-- name: remove_receipts
-- Remove the receipts that assertions earned, given in hexadecimal.
DELETE FROM receipt
WHERE ns = :ns AND assertion <> x'' AND assertion IN (SELECT unhex(value) FROM json_each(:identities));

-- name: alike
-- Memories that have one of these bands of a fingerprint.
SELECT band, number FROM band WHERE ns = :ns AND band IN (SELECT value FROM json_each(:bands));

-- name: taken_bands
-- Those of these bands of fingerprints that some memory has.
SELECT DISTINCT band FROM band WHERE ns = :ns AND band IN (SELECT value FROM json_each(:bands));

-- name: add_band
-- Keep a band of a memory's fingerprint.
INSERT INTO band VALUES (:ns, :band, :number) ON CONFLICT DO NOTHING;

-- name: remove_band
-- Remove a band of a memory's fingerprint.
DELETE FROM band WHERE ns = :ns AND band = :band AND number = :number;

-- name: add_likeness
-- Keep a likeness.
INSERT INTO likeness VALUES (:ns, :one, :other, :difference) ON CONFLICT DO NOTHING;

-- name: likenesses
-- The likenesses of these memories.
SELECT l.one, l.other, l.difference
FROM json_each(:numbers) AS wanted
CROSS JOIN likeness AS l ON l.ns = :ns AND l.one = wanted.value
UNION
SELECT l.one, l.other, l.difference
FROM json_each(:numbers) AS wanted
CROSS JOIN likeness AS l ON l.ns = :ns AND l.other = wanted.value;

-- name: usages
-- The counters of these memories.
SELECT number, recalls, last FROM usage WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: count_usage
-- Count one recall of a memory that is still there.
INSERT INTO usage (ns, number, recalls, last)
SELECT ns, number, 1, :at FROM memory WHERE ns = :ns AND number = :number
ON CONFLICT DO UPDATE SET recalls = recalls + 1, last = max(last, excluded.last);

-- name: put_usage
-- Set the counter of a memory.
INSERT INTO usage (ns, number, recalls, last) VALUES (:ns, :number, :recalls, :last)
ON CONFLICT DO UPDATE SET recalls = excluded.recalls, last = excluded.last;

-- name: turns
-- The assertions of these memories as parts of conversations.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM json_each(:numbers) AS wanted
CROSS JOIN assertion AS a ON a.ns = :ns AND a.number = wanted.value
ORDER BY a.number, a.observed_at;

-- name: observations
-- The highest numbers of memories with an observation, below one.
SELECT DISTINCT number FROM assertion INDEXED BY assertion_observed
WHERE ns = :ns AND source_event = 'observation' AND number < :before ORDER BY number DESC LIMIT :count;

-- name: turns_of_session
-- The assertions of a session, in the order of time.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM assertion AS a WHERE a.ns = :ns AND a.session = :session ORDER BY a.observed_at, a.number;

-- name: turns_before
-- The turns of a session before one of them, nearest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM assertion AS a
WHERE a.ns = :ns AND a.session = :session AND (a.observed_at, a.number) < (:observed_at, :number)
ORDER BY a.observed_at DESC, a.number DESC LIMIT :count;

-- name: turns_after
-- The turns of a session after one of them, nearest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM assertion AS a
WHERE a.ns = :ns AND a.session = :session AND (a.observed_at, a.number) > (:observed_at, :number)
ORDER BY a.observed_at, a.number LIMIT :count;

-- name: sessions
-- The sessions of a namespace with the instant of their first assertion that counts; one step in the index for each.
WITH RECURSIVE named (session) AS (
    SELECT min(session) FROM assertion WHERE ns = :ns AND session IS NOT NULL
    UNION ALL
    SELECT (SELECT min(session) FROM assertion WHERE ns = :ns AND session > named.session)
    FROM named WHERE named.session IS NOT NULL
)
SELECT session, first FROM (
    SELECT n.session, (
        SELECT a.observed_at FROM assertion AS a
        WHERE a.ns = :ns AND a.session = n.session AND NOT EXISTS (
            SELECT 1 FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity
                AND (SELECT count(*) FROM json_each(:tiers) WHERE value <= w.trust)
                    >= (SELECT count(*) FROM json_each(:tiers) WHERE value <= a.trust)
        )
        ORDER BY a.observed_at LIMIT 1
    ) AS first
    FROM named AS n WHERE n.session IS NOT NULL
) WHERE first IS NOT NULL ORDER BY first, session;

-- name: has_speakers
-- Whether any assertion has a speaker.
SELECT EXISTS (SELECT 1 FROM assertion INDEXED BY assertion_by_speaker WHERE ns = :ns AND speaker IS NOT NULL);

-- name: speakers
-- Who speaks in a namespace, in an assertion that counts; one step in the index for each.
WITH RECURSIVE named (speaker) AS (
    SELECT min(speaker) FROM assertion WHERE ns = :ns AND speaker IS NOT NULL
    UNION ALL
    SELECT (SELECT min(speaker) FROM assertion WHERE ns = :ns AND speaker > named.speaker)
    FROM named WHERE named.speaker IS NOT NULL
)
SELECT n.speaker FROM named AS n
WHERE n.speaker IS NOT NULL AND EXISTS (
    SELECT 1 FROM assertion AS a
    WHERE a.ns = :ns AND a.speaker = n.speaker AND NOT EXISTS (
            SELECT 1 FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity
                AND (SELECT count(*) FROM json_each(:tiers) WHERE value <= w.trust)
                    >= (SELECT count(*) FROM json_each(:tiers) WHERE value <= a.trust)
        )
)
ORDER BY n.speaker;

-- name: observed_between
-- The assertions observed in a period, latest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM assertion AS a WHERE a.ns = :ns AND a.observed_at >= :start AND a.observed_at < :end
ORDER BY a.observed_at DESC, a.number DESC LIMIT :count;

-- name: valid_between
-- The assertions valid from an instant of a period that is not when they were observed, latest first.
SELECT a.number, a.session, a.speaker, a.observed_at, a.valid_from, a.trust, a.metadata ->> '$.role',
    (SELECT max(w.trust) FROM withdrawal AS w WHERE w.ns = a.ns AND w.target = a.identity)
FROM assertion AS a
WHERE a.ns = :ns AND a.valid_from <> a.observed_at AND a.valid_from >= :start AND a.valid_from < :end
ORDER BY a.valid_from DESC, a.number DESC LIMIT :count;

-- name: add_archived
-- Mark a memory that is there as archived.
INSERT INTO archived (ns, number, at)
SELECT ns, number, :at FROM memory WHERE ns = :ns AND number = :number
ON CONFLICT DO NOTHING;

-- name: remove_archived
-- Take the mark of a memory away.
DELETE FROM archived WHERE ns = :ns AND number = :number;

-- name: has_archived
-- Whether any memory is marked as archived.
SELECT EXISTS (SELECT 1 FROM archived WHERE ns = :ns);

-- name: archived
-- Those of these memories that are marked as archived.
SELECT number, at FROM archived WHERE ns = :ns AND number IN (SELECT value FROM json_each(:numbers));

-- name: entered_archive
-- The highest numbers below a bound that were archived by an instant, descending.
SELECT number, at FROM archived
WHERE ns = :ns AND number < :before AND at <= :until ORDER BY number DESC LIMIT :count;

-- name: vector_sets
-- All sets of vectors, by number.
SELECT vector_set, name, version, dimensions, active FROM vector_set ORDER BY vector_set;

-- name: find_vector_set
-- The number of the set of an embedder.
SELECT vector_set FROM vector_set WHERE name = :name AND version = :version AND dimensions = :dimensions;

-- name: add_vector_set
-- Make a set that is not active; gives its number.
INSERT INTO vector_set (name, version, dimensions, active) VALUES (:name, :version, :dimensions, 0)
RETURNING vector_set;

-- name: activate_vector_set
-- Let one set be the active one, and no other.
UPDATE vector_set SET active = (vector_set = :vector_set);

-- name: drop_vector_set
-- Remove a set.
DELETE FROM vector_set WHERE vector_set = :vector_set;

-- name: drop_vectors
-- Remove the vectors of a set.
DELETE FROM vector WHERE ns IN (SELECT ns FROM namespace) AND vector_set = :vector_set;

-- name: drop_reach
-- Remove up to where a set was filled in.
DELETE FROM vector_reach WHERE ns IN (SELECT ns FROM namespace) AND vector_set = :vector_set;

-- name: raise_generation_by_set
-- Let everybody who read vectors of a set read anew.
INSERT INTO vector_generation SELECT ns, 1 FROM vector_reach
WHERE ns IN (SELECT ns FROM namespace) AND vector_set = :vector_set
ON CONFLICT DO UPDATE SET generation = generation + 1;

-- name: raise_generation_by_memories
-- Let everybody who read vectors of memories read anew.
INSERT INTO vector_generation SELECT :ns, 1 WHERE EXISTS (
    SELECT 1 FROM vector WHERE ns = :ns AND vector_set IN (SELECT vector_set FROM vector_set)
        AND number IN (SELECT value FROM json_each(:numbers))
) ON CONFLICT DO UPDATE SET generation = generation + 1;

-- name: raise_generation
-- Let everybody who read vectors of a namespace read anew.
INSERT INTO vector_generation VALUES (:ns, 1) ON CONFLICT DO UPDATE SET generation = generation + 1;

-- name: erase_vectors
-- Remove memories' vectors.
DELETE FROM vector WHERE ns = :ns AND vector_set IN (SELECT vector_set FROM vector_set)
    AND number IN (SELECT value FROM json_each(:numbers));

-- name: erase_missing
-- Let memories wait for no vectors any more.
DELETE FROM vector_missing WHERE ns = :ns AND vector_set IN (SELECT vector_set FROM vector_set)
    AND number IN (SELECT value FROM json_each(:numbers));

-- name: miss_vectors
-- Let a memory wait for new vectors in every set that was filled in beyond it.
INSERT INTO vector_missing SELECT ns, vector_set, :number FROM vector_reach
WHERE ns = :ns AND vector_set IN (SELECT vector_set FROM vector_set) AND reached >= :number
ON CONFLICT DO NOTHING;

-- name: missing_vectors
-- The memories that wait for a new vector in a set, ascending.
SELECT number FROM vector_missing WHERE ns = :ns AND vector_set = :vector_set ORDER BY number;

-- name: clear_missing
-- Let no memory wait for a new vector in a set.
DELETE FROM vector_missing WHERE ns = :ns AND vector_set = :vector_set;

-- name: add_missing
-- Let a memory wait for a new vector in a set.
INSERT INTO vector_missing VALUES (:ns, :vector_set, :number) ON CONFLICT DO NOTHING;

-- name: drop_missing
-- Let no memory wait for a vector of a set that goes.
DELETE FROM vector_missing WHERE ns IN (SELECT ns FROM namespace) AND vector_set = :vector_set;

-- name: last_vector
-- The highest memory with a vector in a set.
SELECT max(number) FROM vector WHERE ns = :ns AND vector_set = :vector_set;

-- name: generation
-- How often vectors of a namespace vanished.
SELECT generation FROM vector_generation WHERE ns = :ns;

-- name: reached
-- Up to which memory a set is filled in.
SELECT reached FROM vector_reach WHERE ns = :ns AND vector_set = :vector_set;

-- name: reach
-- Say up to which memory a set is filled in; never back.
INSERT INTO vector_reach VALUES (:ns, :vector_set, :reached)
ON CONFLICT DO UPDATE SET reached = max(reached, excluded.reached);

-- name: add_vector
-- Keep a vector; the first one of a memory stays.
INSERT INTO vector VALUES (:ns, :vector_set, :number, :vector) ON CONFLICT DO NOTHING;

-- name: vectors_since
-- The vectors of memories above a number, ascending.
SELECT number, vector FROM vector WHERE ns = :ns AND vector_set = :vector_set AND number > :after ORDER BY number;

-- name: vectors
-- The vectors of these memories.
SELECT number, vector FROM vector
WHERE ns = :ns AND vector_set = :vector_set AND number IN (SELECT value FROM json_each(:numbers));

-- name: changed_since
-- The memories whose chain changed after a system time.
SELECT number FROM memory INDEXED BY memory_by_change WHERE ns = :ns AND changed_at > :since
UNION
SELECT m.number FROM memory AS head CROSS JOIN memory AS m ON m.ns = :ns AND m.chain = head.number AND m.chain <> m.number
WHERE head.ns = :ns AND head.changed_at > :since
ORDER BY number;

-- name: erasures
-- How often memories of a namespace were erased, or their texts taken out of the index.
SELECT erasures FROM namespace WHERE ns = :ns;

-- name: count_erasure
-- Let everybody who read a whole namespace read anew.
UPDATE namespace SET erasures = erasures + 1 WHERE ns = :ns;

-- name: all_triples
-- All memories with a triple that state a value.
SELECT number, subject, predicate, object, subject_name, predicate_name, object_name
FROM memory INDEXED BY memory_by_question
WHERE ns = :ns AND subject_name IS NOT NULL AND is_nothing = 0 ORDER BY number;

-- name: triples
-- Those of these memories that state a value with a triple.
SELECT m.number, m.subject, m.predicate, m.object, m.subject_name, m.predicate_name, m.object_name
FROM json_each(:numbers) AS wanted CROSS JOIN memory AS m ON m.ns = :ns AND m.number = wanted.value
WHERE m.subject_name IS NOT NULL AND m.is_nothing = 0 ORDER BY m.number;

-- name: all_texts
-- All memories without a triple that state something.
SELECT number, content FROM memory WHERE ns = :ns AND subject_name IS NULL AND is_nothing = 0 ORDER BY number;

-- name: texts
-- Those of these memories that state something without a triple.
SELECT m.number, m.content FROM json_each(:numbers) AS wanted
CROSS JOIN memory AS m ON m.ns = :ns AND m.number = wanted.value
WHERE m.subject_name IS NULL AND m.is_nothing = 0 ORDER BY m.number;

-- name: spells
-- When the statements of these memories are in force.
SELECT m.number, s.valid_from, s.valid_until, s.expires_at, s.trust
FROM json_each(:numbers) AS wanted
CROSS JOIN memory AS m ON m.ns = :ns AND m.number = wanted.value
CROSS JOIN segment AS s ON s.ns = :ns AND s.chain = m.chain AND s.free = 0 AND s.statement = m.statement
WHERE m.is_nothing = 0 ORDER BY m.number, s.valid_from;

-- name: parents
-- What these memories were derived from.
SELECT DISTINCT d.number, p.number
FROM json_each(:numbers) AS wanted
CROSS JOIN derivation AS d INDEXED BY derivation_by_child ON d.ns = :ns AND d.number = wanted.value
CROSS JOIN memory AS p ON p.ns = :ns AND p.key = d.parent
ORDER BY d.number, p.number;

-- name: add_review
-- Keep a review.
INSERT INTO review VALUES (
    :ns, :id, :kind, :memory_id, :number, :target, :source, :item, :writer, :opened_at, :expires_at, :why, :held,
    :state, :decided_by, :decided_at, :against
);

-- name: remove_reviews
-- Remove reviews; gives their sources.
DELETE FROM review WHERE ns = :ns AND id IN (SELECT value FROM json_each(:ids)) RETURNING source;

-- name: reviews_by_id
-- The reviews of these ids.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM review AS r JOIN source AS s ON s.source = r.source
WHERE r.ns = :ns AND r.id IN (SELECT value FROM json_each(:ids));

-- name: reviews_in_state
-- The newest reviews in a state, latest first.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM review AS r JOIN source AS s ON s.source = r.source
WHERE r.ns = :ns AND r.state = :state ORDER BY r.opened_at DESC, r.id DESC LIMIT :count;

-- name: count_reviews
-- How many reviews there are.
SELECT count(*) FROM review WHERE ns = :ns;

-- name: reviews_about
-- The reviews about these memories, by id.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM review AS r JOIN source AS s ON s.source = r.source
WHERE r.ns = :ns AND r.id IN (
    SELECT id FROM review WHERE ns = :ns AND number IS NOT NULL AND number IN (SELECT value FROM json_each(:numbers))
    UNION
    SELECT id FROM review WHERE ns = :ns AND against IS NOT NULL AND against IN (SELECT value FROM json_each(:numbers))
)
ORDER BY r.id;

-- name: reviews_from
-- The reviews of what is from a source, by id; from all its items where :item is empty.
SELECT r.id, r.kind, r.memory_id, r.number, r.target, s.kind, s.container, r.item, r.writer, r.opened_at,
    r.expires_at, r.why, r.held, r.state, r.decided_by, r.decided_at, r.against
FROM review AS r JOIN source AS s ON s.source = r.source
WHERE r.ns = :ns AND r.source = :source AND (:item = '' OR r.item = :item) ORDER BY r.id;

-- name: add_burst
-- Keep a statement in a bucket, in the place of the one of its identity.
INSERT INTO burst (ns, bucket, identity, learned_at, number)
VALUES (:ns, :bucket, :identity, :learned_at, :number)
ON CONFLICT DO UPDATE SET learned_at = excluded.learned_at, number = excluded.number;

-- name: bursts_since
-- The statements of a bucket learned since a system time, in the order of time.
SELECT learned_at, identity, number FROM burst
WHERE ns = :ns AND bucket = :bucket AND learned_at >= :since ORDER BY learned_at, identity;

-- name: drop_bursts
-- Remove the statements learned before a system time.
DELETE FROM burst WHERE ns = :ns AND learned_at < :until;

-- name: remove_bursts
-- Remove the statements of these identities, given in hexadecimal.
DELETE FROM burst WHERE ns = :ns AND identity IN (SELECT unhex(value) FROM json_each(:identities));

-- name: origin_key
-- The secret with which names of sources are digested, and whether any source is blocked.
SELECT value, EXISTS (SELECT 1 FROM block) FROM meta WHERE name = 'origin_key';

-- name: set_origin_key
-- Take over another secret with which names of sources are digested.
UPDATE meta SET value = :origin_key WHERE name = 'origin_key';

-- name: add_block
-- Keep a block; the first one of a source stays.
INSERT INTO block VALUES (:digest, :kind, :plan, :blocked_by, :at) ON CONFLICT DO NOTHING;

-- name: known_blocks
-- Those of these digests that are blocked, given in hexadecimal.
SELECT digest FROM block WHERE digest IN (SELECT unhex(value) FROM json_each(:digests));

-- name: all_blocks
-- All blocks, in the order of time.
SELECT digest, kind, plan, blocked_by, at FROM block ORDER BY at, digest;

-- name: remove_block
-- Remove a block.
DELETE FROM block WHERE digest = :digest;

-- name: keep_plan
-- Keep a plan in the place of the one with its id.
INSERT INTO forget_plan VALUES (
    :id, :digest, :plan, :state, :made_at, :expires_at, :made_by, :approved_by, :receipt
) ON CONFLICT DO UPDATE SET digest = excluded.digest, plan = excluded.plan, state = excluded.state,
    made_at = excluded.made_at, expires_at = excluded.expires_at, made_by = excluded.made_by,
    approved_by = excluded.approved_by, receipt = excluded.receipt;

-- name: find_plan
-- The plan of an id.
SELECT id, digest, plan, state, made_at, expires_at, made_by, approved_by, receipt FROM forget_plan WHERE id = :id;

-- name: all_plans
-- All plans, in the order of time.
SELECT id, digest, plan, state, made_at, expires_at, made_by, approved_by, receipt FROM forget_plan
ORDER BY made_at, id;

-- name: remove_plan
-- Remove a plan.
DELETE FROM forget_plan WHERE id = :id;

-- name: append_audit
-- Add a line to the audit log.
INSERT INTO audit VALUES (:sequence, :at, :actor, :action, :owner, :target, :detail, :previous, :digest);

-- name: last_audit
-- The last line of the audit log.
SELECT sequence, at, actor, action, owner, target, detail, previous, digest FROM audit ORDER BY sequence DESC LIMIT 1;

-- name: audit_after
-- The lines of the audit log above a sequence number.
SELECT sequence, at, actor, action, owner, target, detail, previous, digest FROM audit
WHERE sequence > :after ORDER BY sequence LIMIT :count;

-- name: keep_token
-- Keep a token in the place of the one with its id.
INSERT INTO token VALUES (:id, :digest, :name, :agent, :scopes, :created_at, :expires_at, :revoked_at)
ON CONFLICT DO UPDATE SET digest = excluded.digest, name = excluded.name, agent = excluded.agent,
    scopes = excluded.scopes, created_at = excluded.created_at, expires_at = excluded.expires_at,
    revoked_at = excluded.revoked_at;

-- name: find_token
-- The token of an id.
SELECT id, digest, name, agent, scopes, created_at, expires_at, revoked_at FROM token WHERE id = :id;

-- name: all_tokens
-- All tokens, in the order of time.
SELECT id, digest, name, agent, scopes, created_at, expires_at, revoked_at FROM token ORDER BY created_at, id;

-- name: find_domain
-- The domain of a scope.
SELECT name, repo, label, description, confidential, usual, created_by, created_at FROM domain WHERE scope = :scope;

-- name: all_domains
-- All domains by scope.
SELECT name, repo, label, description, confidential, usual, created_by, created_at FROM domain ORDER BY scope;

-- name: keep_domain
-- Keep a domain in the place of the one with its scope.
INSERT INTO domain VALUES (
    :scope, :name, :repo, :label, :description, :confidential, :usual, :created_by, :created_at
) ON CONFLICT DO UPDATE SET name = excluded.name, repo = excluded.repo, label = excluded.label,
    description = excluded.description, confidential = excluded.confidential, usual = excluded.usual,
    created_by = excluded.created_by, created_at = excluded.created_at;

-- name: all_grants
-- All grants, by scope, kind of grantee and name.
SELECT scope, kind, name, level FROM domain_grant ORDER BY scope, kind, name;

-- name: keep_grant
-- Keep a grant in the place of the one to the same in that domain.
INSERT INTO domain_grant VALUES (:scope, :kind, :name, :level) ON CONFLICT DO UPDATE SET level = excluded.level;

-- name: outdate_graphs
-- Let everybody who read graphs or tails of the workspace read anew.
UPDATE namespace SET erasures = max(erasures + 1, :turn);

-- name: outdate_vectors
-- Let everybody who read vectors of the workspace read anew.
INSERT INTO vector_generation SELECT ns, :turn FROM namespace WHERE true
ON CONFLICT DO UPDATE SET generation = max(generation + 1, excluded.generation);

-- name: empty_memory
-- Remove all of a workspace, before it is filled anew.
DELETE FROM memory;

-- name: empty_source
-- Remove all of a workspace, before it is filled anew.
DELETE FROM source;

-- name: empty_assertion
-- Remove all of a workspace, before it is filled anew.
DELETE FROM assertion;

-- name: empty_derivation
-- Remove all of a workspace, before it is filled anew.
DELETE FROM derivation;

-- name: empty_dependency
-- Remove all of a workspace, before it is filled anew.
DELETE FROM dependency;

-- name: empty_link
-- Remove all of a workspace, before it is filled anew.
DELETE FROM link;

-- name: empty_withdrawal
-- Remove all of a workspace, before it is filled anew.
DELETE FROM withdrawal;

-- name: empty_segment
-- Remove all of a workspace, before it is filled anew.
DELETE FROM segment;

-- name: empty_document
-- Remove all of a workspace, before it is filled anew.
DELETE FROM document;

-- name: empty_posting
-- Remove all of a workspace, before it is filled anew.
DELETE FROM posting;

-- name: empty_band
-- Remove all of a workspace, before it is filled anew.
DELETE FROM band;

-- name: empty_likeness
-- Remove all of a workspace, before it is filled anew.
DELETE FROM likeness;

-- name: empty_receipt
-- Remove all of a workspace, before it is filled anew.
DELETE FROM receipt;

-- name: empty_usage
-- Remove all of a workspace, before it is filled anew.
DELETE FROM usage;

-- name: empty_archived
-- Remove all of a workspace, before it is filled anew.
DELETE FROM archived;

-- name: empty_vector_set
-- Remove all of a workspace, before it is filled anew.
DELETE FROM vector_set;

-- name: empty_vector
-- Remove all of a workspace, before it is filled anew.
DELETE FROM vector;

-- name: empty_vector_reach
-- Remove all of a workspace, before it is filled anew.
DELETE FROM vector_reach;

-- name: empty_vector_missing
-- Remove all of a workspace, before it is filled anew.
DELETE FROM vector_missing;

-- name: empty_review
-- Remove all of a workspace, before it is filled anew.
DELETE FROM review;

-- name: empty_burst
-- Remove all of a workspace, before it is filled anew.
DELETE FROM burst;

-- name: empty_forget_plan
-- Remove all of a workspace, before it is filled anew.
DELETE FROM forget_plan;

-- name: empty_audit
-- Remove all of a workspace, before it is filled anew.
DELETE FROM audit;

-- name: empty_domain
-- Remove all of a workspace, before it is filled anew.
DELETE FROM domain;

-- name: empty_domain_grant
-- Remove all of a workspace, before it is filled anew.
DELETE FROM domain_grant;

-- name: empty_namespace
-- Remove the agents of a workspace, before it is filled anew.
DELETE FROM namespace WHERE agent <> '';

-- name: empty_own_namespace
-- Let the numbers of memories begin anew.
UPDATE namespace SET following = 1, documents = 0, length = 0, compacted = 0;
