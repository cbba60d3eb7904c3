-- Let the server take samples of tables that are empty. It would keep the old ones, with the values that were in them:
-- ANALYZE leaves a table alone in which it finds nothing. So each has one row meanwhile, of a workspace that there cannot
-- be, which nobody else sees.
DO $$
DECLARE
    emptied record;
BEGIN
    FOR emptied IN
        SELECT c.relname AS name,
            string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
            string_agg(
                quote_literal(
                    CASE
                        WHEN t.typcategory = 'N' THEN '-1'
                        WHEN t.typcategory = 'B' THEN 'false'
                        WHEN t.typcategory = 'D' THEN 'epoch'
                        WHEN t.typcategory = 'A' THEN '{}'
                        WHEN t.typname = 'halfvec' THEN '[0]'
                        ELSE ''
                    END
                ) || '::' || format_type(a.atttypid, NULL), ', ' ORDER BY a.attnum
            ) AS filled
        FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attnotnull AND a.attgenerated = ''
        JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE c.relnamespace = 'karte'::regnamespace AND c.relkind = 'r' AND c.reltuples = 0
        GROUP BY c.relname
    LOOP
        EXECUTE format('INSERT INTO karte.%I (%s) VALUES (%s)', emptied.name, emptied.columns, emptied.filled);
        EXECUTE format('ANALYZE karte.%I', emptied.name);
        EXECUTE format('DELETE FROM karte.%I WHERE workspace_id = -1', emptied.name);
    END LOOP;
END
$$;
