-- Reads by other people from before rule 12.2e: each names what their searches found, with its time and way.
DELETE FROM access_log WHERE reader_id IS NOT NULL AND action = 'read';
