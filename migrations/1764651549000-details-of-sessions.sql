-- True if the request of the session had authorization_details: its refreshes repeat them as granted (rule 14.2c).
ALTER TABLE app_sessions ADD COLUMN has_details boolean NOT NULL DEFAULT false;
