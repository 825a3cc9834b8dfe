import { Injectable } from '@nestjs/common';
import { type CookieOptions, type Request, type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { IDLE_LIFETIME_MS } from '../domain/log-in.js';
import { type SessionKind } from './dto/auth.dto.js';

/** An answer with the tokens of a log-in. */
interface WithRefreshToken {
  refresh_token?: string;
}

/**
 * Refresh tokens in cookies, for pages of this service (rule 1.24): no script can read them, and no page of another
 * origin can use them. Other clients do not ask for a cookie and send none.
 */
@Injectable()
export class SessionCookies {
  private readonly name: string;
  private readonly options: CookieOptions;
  private readonly host: string;

  constructor({ publicUrl }: Config) {
    const { protocol, host } = new URL(publicUrl);
    const secure = protocol === 'https:';
    this.host = host;
    this.name = secure ? '__Secure-pig_session' : 'pig_session';
    this.options = { httpOnly: true, sameSite: 'strict', secure, path: `/${VERSION_PREFIX}/auth` };
  }

  /**
   * Moves the refresh token of an answer into the cookie, where the client has asked for that.
   * @throws PERMISSION_DENIED for a page of another origin
   */
  deliver<Answer extends WithRefreshToken>(
    request: Request,
    session: SessionKind | undefined,
    answer: Answer,
  ): Answer {
    const { refresh_token: token, ...rest } = answer;
    if (session === undefined || token === undefined) return answer;
    this.refuseOtherOrigins(request);
    responseTo(request).cookie(this.name, token, { ...this.options, maxAge: IDLE_LIFETIME_MS });
    return rest as Answer;
  }

  /**
   * The refresh token that a request brings in its cookie; null without one.
   * @throws PERMISSION_DENIED for a page of another origin
   */
  read(request: Request): string | null {
    this.refuseOtherOrigins(request);
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const named = pairs.find((pair) => pair.startsWith(`${this.name}=`));
    return named === undefined ? null : named.slice(this.name.length + 1);
  }

  /** Removes the cookie from the browser. */
  clear(request: Request): void {
    responseTo(request).clearCookie(this.name, this.options);
  }

  /**
   * Cookies of one host are sent from pages at all its ports and, before `SameSite` decides, by all pages of its site.
   * Browsers say the origin of a page by `Sec-Fetch-Site`, on plain http only by `Origin`; other clients send neither,
   * and nobody makes them send requests.
   */
  refuseOtherOrigins({ headers }: Request): void {
    const site = headers['sec-fetch-site'];
    const isOwn = site === undefined ? this.isOwnOrigin(headers) : site === 'same-origin';
    if (!isOwn)
      throw new DomainError('PERMISSION_DENIED', 'A session in a cookie is only for pages of this service');
  }

  private isOwnOrigin({ origin, host }: Request['headers']): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    return [host, this.host].includes(new URL(origin).host);
  }
}

const responseTo = (request: Request): Response => request.res as Response;
