-- The authorization of the user key that has set the address and events; NULL: another caller has (rule 9.1g).
ALTER TABLE webhook_subscriptions ADD COLUMN webhook_authorization_id uuid, ADD COLUMN proposals_authorization_id uuid;
