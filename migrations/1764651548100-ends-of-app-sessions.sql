-- Reasons in the words of the API, because ended sessions are listed. `ended` did not say by whom.
UPDATE app_sessions SET end_reason = CASE end_reason WHEN 'authorization ended' THEN 'authorization_ended'
  WHEN 'code used twice' THEN 'code_reused' WHEN 'refresh token used twice' THEN 'refresh_token_reused' END
WHERE end_reason IS NOT NULL;
ALTER TABLE app_sessions ADD CONSTRAINT app_sessions_end_reason CHECK (end_reason IN ('ended_by_person',
  'revoked_by_client', 'refresh_token_reused', 'code_reused', 'authorization_ended', 'unused'));
