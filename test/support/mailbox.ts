import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { LetterWorker } from '../../src/kernel/mail/letter-worker.js';
import { freePort } from './ports.js';
import { type World } from './world.js';

export interface ReceivedLetter {
  to: string[];
  from: string;
  /** The headers, by names in lower case. */
  headers: Record<string, string>;
  text: string;
}

interface Refusal {
  code: number;
  /** The server's answer to a letter. */
  says: string;
}

/** A real SMTP server that stores the letters it gets. */
export class Mailbox {
  readonly received: ReceivedLetter[] = [];
  /** The answer to recipients; null: they are accepted. */
  refuses: Refusal | null = null;
  private server: SMTPServer;

  private constructor(readonly port: number) {
    this.server = this.listener();
  }

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox(await freePort());
    await mailbox.goUp();
    return mailbox;
  }

  /** The settings of a service that sends its letters here. */
  get settings(): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: 'Graph <no-reply@graph.example>',
      PUBLIC_URL: 'https://graph.example',
      NODE_ENV: 'production',
    };
  }

  async goUp(): Promise<void> {
    await new Promise<void>((done) => void this.server.listen(this.port, '127.0.0.1', done));
  }

  async goDown(): Promise<void> {
    await new Promise<void>((done) => this.server.close(done));
    this.server = this.listener();
  }

  /**
   * Letters to an address that came since the previous call, once the world's service has sent all due ones.
   * @param purpose of the link that a letter must contain; others are dropped
   */
  async of(world: World, address: string, purpose?: string): Promise<ReceivedLetter[]> {
    await world.nest.get(LetterWorker).look();
    const isTheirs = ({ to }: ReceivedLetter): boolean => to.includes(address);
    const theirs = this.received.filter(isTheirs);
    this.received.splice(0, this.received.length, ...this.received.filter((one) => !isTheirs(one)));
    return theirs.filter((letter) => purpose === undefined || letter.text.includes(`#${purpose}=`));
  }

  private listener(): SMTPServer {
    return new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: (_address, _session, answer) => {
        if (this.refuses === null) return answer();
        answer(Object.assign(new Error(this.refuses.says), { responseCode: this.refuses.code }));
      },
      onData: (stream, { envelope }, answer) => {
        void text(stream).then((message) => {
          const to = envelope.rcptTo.map(({ address }) => address);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          this.received.push({ to, from, ...parsed(message) });
          answer();
        });
      },
    });
  }
}

/** Reads a letter of plain text in one part, as the service sends it. */
function parsed(message: string): Pick<ReceivedLetter, 'headers' | 'text'> {
  const [head = '', ...rest] = message.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = rest.join('\n\n').replaceAll('\r\n', '\n');
  const isQuoted = headers['content-transfer-encoding'] === 'quoted-printable';
  return { headers, text: isQuoted ? unquoted(body) : body };
}

function unquoted(body: string): string {
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The token in the link of a letter. */
export function tokenIn({ text: body }: ReceivedLetter, purpose: string): string {
  const [, token] =
    new RegExp(`https://graph\\.example/account#${purpose}=(pig_mail_[\\w-]{43})\\n`).exec(body) ?? [];
  if (token === undefined) throw new Error(`no link to ${purpose} in: ${body}`);
  return token;
}
