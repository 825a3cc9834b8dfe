import { Logger } from '@nestjs/common';
import { type Transporter } from 'nodemailer';
import { type Config, type SmtpSettings } from '../../config/config.js';
import { sendableAddress } from './address.js';
import { type Letter } from './letter.js';

/** Sends letters. Two adapters: an SMTP server, and the log of a developer's machine. */
export abstract class MailTransport {
  /** @throws NotSent unless the letter is known to have been accepted */
  abstract send(id: string, letter: Letter): Promise<void>;

  /** The configured transport; null if this service sends no letters. */
  static for({ smtp, isDevelopment }: Pick<Config, 'smtp' | 'isDevelopment'>): MailTransport | null {
    if (smtp !== null) return new SmtpTransport(smtp);
    return isDevelopment ? new LogTransport() : null;
  }
}

/** A letter that was not accepted. It holds no text of the server's, which may repeat the address. */
export class NotSent extends Error {
  readonly code: string | undefined;
  readonly responseCode: number | undefined;
  readonly command: string | undefined;

  constructor(failure: Partial<Pick<NotSent, 'code' | 'responseCode' | 'command'>>) {
    super('the SMTP server did not take the letter');
    this.name = 'NotSent';
    this.code = failure.code;
    this.responseCode = failure.responseCode;
    this.command = failure.command;
  }
}

/** All well below the lease of a letter, so that no other worker sends it at the same time. */
const PATIENCE = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};

class SmtpTransport extends MailTransport {
  private transporter: Promise<Transporter> | null = null;

  constructor(private readonly settings: SmtpSettings) {
    super();
  }

  async send(id: string, { to, subject, text }: Letter): Promise<void> {
    const { from } = this.settings;
    const transporter = await (this.transporter ??= this.open());
    try {
      await transporter.sendMail({
        from,
        // An object, so that an address is never parsed as a list of several.
        to: { name: '', address: sendableAddress(to) },
        subject,
        text,
        // The same for each attempt, so that mail systems recognize a letter that was accepted although the reply was
        // lost.
        messageId: `<${id}@${from.split('@').at(-1)?.replace('>', '')}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      throw new NotSent(error as NotSent);
    }
  }

  /** The module is loaded with the first letter. */
  private async open(): Promise<Transporter> {
    const { host, port, isSecure: secure, login } = this.settings;
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure,
      ...PATIENCE,
      ...(login === null ? {} : { auth: login, requireTLS: !secure }),
    });
  }
}

/** Writes to the log of a developer's machine: only the links, without the address. */
class LogTransport extends MailTransport {
  private readonly logger = new Logger('mail');

  async send(_id: string, { subject, text }: Letter): Promise<void> {
    const links = text.match(/https?:\/\/\S+/g) ?? [];
    this.logger.log({ links }, `not sent, for SMTP_URL is not set: ${subject}`);
    return Promise.resolve();
  }
}
