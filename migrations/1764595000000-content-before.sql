-- The content of the rows before one, as `content_before(most, bytes, documents …) OVER (… ROWS BETWEEN UNBOUNDED PRECEDING
-- AND 1 PRECEDING)`. Documents are not looked at once there is `most` of it: to tell the size of a compressed one takes as
-- long as to read it. The size of one that is not compressed is known.
CREATE FUNCTION add_content(filled bigint, most bigint, bytes bigint, a jsonb, b jsonb, c jsonb, d jsonb, e jsonb, f jsonb)
  RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF filled >= most THEN RETURN filled; END IF;
  RETURN filled + bytes
    + CASE WHEN a IS NULL THEN 0 WHEN pg_column_compression(a) IS NULL THEN pg_column_size(a) ELSE octet_length(a::text) END
    + CASE WHEN b IS NULL THEN 0 WHEN pg_column_compression(b) IS NULL THEN pg_column_size(b) ELSE octet_length(b::text) END
    + CASE WHEN c IS NULL THEN 0 WHEN pg_column_compression(c) IS NULL THEN pg_column_size(c) ELSE octet_length(c::text) END
    + CASE WHEN d IS NULL THEN 0 WHEN pg_column_compression(d) IS NULL THEN pg_column_size(d) ELSE octet_length(d::text) END
    + CASE WHEN e IS NULL THEN 0 WHEN pg_column_compression(e) IS NULL THEN pg_column_size(e) ELSE octet_length(e::text) END
    + CASE WHEN f IS NULL THEN 0 WHEN pg_column_compression(f) IS NULL THEN pg_column_size(f) ELSE octet_length(f::text) END;
END $$;
CREATE AGGREGATE content_before(most bigint, bytes bigint, a jsonb, b jsonb, c jsonb, d jsonb, e jsonb, f jsonb) (
  SFUNC = add_content, STYPE = bigint, INITCOND = '0', PARALLEL = SAFE
);
