import { type DomainError } from '../../kernel/errors/domain-error.js';
import { pageStyle } from '../../kernel/http/page-style.js';

/**
 * A page for a person whose app sent them here with a request that cannot be trusted; the message is the service's own. It
 * looks like the console, whose style it loads, and has no style or script in itself.
 */
export const errorPage = (message: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>This app cannot be connected · Your graph</title>
<link rel="stylesheet" href="../${pageStyle()}">
</head>
<body>
<header class="top"><span class="brand">Your graph</span></header>
<main class="page narrow">
<h1>This app cannot be connected</h1>
<div class="card">
<p><strong>${message}</strong></p>
<p>Nothing was shared. Go back to the app and try again; if it happens again, tell the people who make it.</p>
</div>
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
