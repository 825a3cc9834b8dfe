import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { type FactorProof } from '../domain/second-factor.js';
import { acceptedStep } from '../domain/totp.js';
import { FactorRows } from '../infrastructure/second-factors.repository.js';

/** Checks proofs of a second factor. A valid proof is used up, in the caller's unit of work. */
@Injectable()
export class FactorProofs {
  constructor(
    private readonly factors: FactorRows,
    private readonly clock: Clock,
  ) {}

  /**
   * Needs a unit of work in which the user is locked: the second of two concurrent checks finds the code
   * used.
   */
  async fits(userId: string, proof: FactorProof): Promise<boolean> {
    return proof.kind === 'totp'
      ? this.acceptsTotp(userId, proof.code)
      : this.factors.takeRecoveryCode(userId, proof.code);
  }

  private async acceptsTotp(userId: string, code: string): Promise<boolean> {
    const totp = await this.factors.findTotp(userId);
    if (totp === null || totp.confirmedAt === null) return false;
    const step = acceptedStep(totp, code, this.clock.now());
    if (step === null) return false;
    await this.factors.acceptStep(userId, step);
    return true;
  }
}
