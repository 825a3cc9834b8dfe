-- True while a subscription has so many pending deliveries that it reads no further changes (rule 9.2f).
ALTER TABLE webhook_subscriptions ADD COLUMN is_full boolean NOT NULL DEFAULT false;
