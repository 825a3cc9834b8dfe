import { Injectable } from '@nestjs/common';
import { hashOfSecret, requestVersionOf } from '../../identity/index.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { type Wishes } from '../domain/authorization-request.js';
import { type Client } from '../domain/client.js';
import {
  DEVICE_INTERVAL,
  DEVICE_LIFETIME_MS,
  newCode,
  newUserCode,
  userCodeIn,
} from '../domain/code-text.js';
import { type DeviceDecision, DeviceRows, type WaitingDevice } from '../infrastructure/devices.repository.js';
import { Clients } from './clients.service.js';
import { SealedRequests } from './sealed-requests.js';

/** The longest name of a device that is stored. */
const DEVICE_LENGTH = 200;

export type AllowedDevice = WaitingDevice & { ownerId: string; authorizationId: string };

/** Devices without a browser, which wait until their person allows them elsewhere (RFC 8628; rule 14.7). */
@Injectable()
export class Devices {
  /** The most devices that wait, and the additions of a process after which it looks; replaced by tests. */
  bounds = { most: 100_000, every: 1_000 };
  private additions = 0;

  constructor(
    private readonly rows: DeviceRows,
    private readonly clients: Clients,
    private readonly sealed: SealedRequests,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Begins to wait. */
  begin(
    { app }: Client,
    request: Wishes & { device: string | null },
  ): Promise<{ deviceCode: string; userCode: string; expiresInSeconds: number; intervalSeconds: number }> {
    const deviceCode = newCode();
    const waiting: WaitingDevice = {
      digest: hashOfSecret(deviceCode),
      userCode: newUserCode(),
      appId: app.id,
      request: { ...request, device: request.device?.slice(0, DEVICE_LENGTH) ?? null },
      status: 'pending',
      ownerId: null,
      authorizationId: null,
      scopes: null,
      details: null,
      intervalSeconds: DEVICE_INTERVAL,
      askedAt: null,
      expiresAt: new Date(this.clock.now().getTime() + DEVICE_LIFETIME_MS),
    };
    return this.units.run(async () => {
      await this.rows.forget(this.clock.now());
      while (!(await this.rows.insert(waiting))) waiting.userCode = newUserCode();
      await this.added();
      const { userCode, intervalSeconds } = waiting;
      return { deviceCode, userCode, intervalSeconds, expiresInSeconds: DEVICE_LIFETIME_MS / 1000 };
    });
  }

  /** The request of the device that shows a code, for the consent page. @throws NOT_FOUND */
  async requestOf(typed: string): Promise<string> {
    const device = await this.rows.findByUserCode(userCodeIn(typed));
    const client = device && (await this.clients.ofApp(device.appId));
    if (device?.status !== 'pending' || device.expiresAt <= this.clock.now() || !client)
      throw new DomainError('NOT_FOUND', 'No device is waiting with this code; it may have expired');
    const { device: _, ...wishes } = device.request;
    const version = requestVersionOf(client.app);
    return this.sealed.seal({
      kind: 'device',
      ...wishes,
      version,
      appId: device.appId,
      deviceDigest: device.digest,
    });
  }

  /** Anybody can make a device wait, so their number has a bound, beyond which the oldest no longer wait. */
  private async added(): Promise<void> {
    this.additions += 1;
    if (this.additions < this.bounds.every) return;
    this.additions = 0;
    await this.rows.trim(this.bounds.most);
  }

  /** Stores the person's decision, once. @throws CONSENT_EXPIRED for a device that no longer waits */
  decide(digest: string, decision: DeviceDecision): Promise<void> {
    return this.units.run(async () => {
      const device = await this.rows.lock(digest);
      if (device?.status !== 'pending' || device.expiresAt <= this.clock.now())
        throw new DomainError('CONSENT_EXPIRED', 'The device no longer waits; start again on the device');
      await this.rows.decide(digest, decision);
    });
  }

  /** The device with this code, as a client of that app asks; null for any other text. */
  async find(code: string, appId: string): Promise<WaitingDevice | null> {
    const device = await this.rows.find(hashOfSecret(code));
    return device?.appId === appId ? device : null;
  }

  /**
   * Answers a device that asks; an allowed one is used up. Needs a unit of work, which the returned refusal must not undo.
   */
  async ask(code: string, appId: string): Promise<AllowedDevice | OAuthError> {
    const digest = hashOfSecret(code);
    const device = await this.rows.lock(digest);
    if (device?.appId !== appId) return new OAuthError('invalid_grant', 'The device code is not valid');
    const at = this.clock.now();
    if (device.expiresAt <= at) return new OAuthError('expired_token', 'The device code has expired');
    if (device.status === 'pending') return this.wait(device, at);
    await this.rows.delete(digest);
    const { ownerId, authorizationId } = device;
    if (ownerId === null || authorizationId === null)
      return new OAuthError('access_denied', 'The person did not allow it');
    return { ...device, ownerId, authorizationId };
  }

  private async wait({ digest, intervalSeconds, askedAt }: WaitingDevice, at: Date): Promise<OAuthError> {
    const isEarly = askedAt !== null && at.getTime() - askedAt.getTime() < intervalSeconds * 1000;
    const next = isEarly ? intervalSeconds + DEVICE_INTERVAL : intervalSeconds;
    await this.rows.ask(digest, { at, intervalSeconds: next });
    return isEarly
      ? new OAuthError('slow_down', `Ask every ${next} seconds`)
      : new OAuthError('authorization_pending', 'The person has not decided yet');
  }
}
