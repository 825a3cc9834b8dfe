-- Due deliveries are looked up for each of a subscription's two addresses.
CREATE INDEX webhook_deliveries_due_by_target ON webhook_deliveries (owner_id, subscription_id, target, next_attempt_at, sequence)
  WHERE status = 'pending';
DROP INDEX webhook_deliveries_due;
