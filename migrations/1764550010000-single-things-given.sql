-- Single things that a log-in has let others see since its person last proved who they are.
ALTER TABLE log_ins ADD COLUMN singles_given integer NOT NULL DEFAULT 0;
