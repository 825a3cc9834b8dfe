import { type DomainError } from '../../kernel/errors/domain-error.js';

/** A page for a person whose app sent them here with a request that cannot be trusted; the message is the service's own. */
export const errorPage = (message: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This app cannot be connected</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
</style>
</head>
<body>
<main>
<h1>This app cannot be connected</h1>
<p>${message}</p>
<p>Nothing was shared. Go back to the app and try again; if it happens again, tell the people who make it.</p>
</main>
</body>
</html>
`;

/** The page for an error whose own message is meant for programs. */
export const errorPageOf = ({ status }: DomainError): string => errorPage(messageFor(status));

function messageFor(status: number): string {
  if (status === 429) return 'There were too many requests from your network. Wait a minute, then try again.';
  if (status === 503) return 'The service is busy. Wait a moment, then try again.';
  if (status >= 500) return 'Something went wrong on our side. Try again later.';
  return 'The app made a request that cannot be understood.';
}
