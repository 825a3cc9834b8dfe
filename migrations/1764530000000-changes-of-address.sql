-- The key of the address that a link brings back: nobody else may take the address while the link is good. Null for links
-- that bring none back.
ALTER TABLE mail_tokens ADD COLUMN reserved_key text;
CREATE INDEX mail_tokens_reserved ON mail_tokens (reserved_key) WHERE reserved_key IS NOT NULL;
