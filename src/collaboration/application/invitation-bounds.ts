import { type InvitationLoad } from '../infrastructure/invitations.repository.js';
import { exceeded } from './share-bounds.service.js';

/** The most pending invitations of a group. */
const GROUP_BOUND = 1_000;
/** The most that one stranger asks of a user, so that strangers need many accounts to fill their room. */
const STRANGER_BOUND = 20;
/** The most that all strangers together ask of a user. */
const STRANGERS_BOUND = 1_000;
/** The most that everybody asks of a user. Strangers cannot fill it. */
const USER_BOUND = 2_000;

/** Holds the pending invitations of a group and of a user against their bounds (rule 10.3). @throws QUOTA_EXCEEDED */
export function refuseBeyondBounds(
  ofGroup: number,
  { pair, strangers, all, isStranger }: InvitationLoad,
): void {
  if (ofGroup > GROUP_BOUND)
    throw exceeded(
      'pending_invitations',
      GROUP_BOUND,
      'The group has $ open invitations; cancel some of them first',
    );
  if (isStranger && pair > STRANGER_BOUND)
    throw exceeded(
      'invitations_to_user',
      STRANGER_BOUND,
      `A user who does not follow you can have $ invitations by you; ${ASK}`,
    );
  if (isStranger && strangers > STRANGERS_BOUND)
    throw exceeded(
      'received_invitations',
      STRANGERS_BOUND,
      `Users have $ open invitations by people whom they do not follow; ${ASK}`,
    );
  if (all > USER_BOUND)
    throw exceeded(
      'received_invitations',
      USER_BOUND,
      'Users have $ open invitations in all; they can answer some of them',
    );
}

const ASK = 'they can follow you, or answer some of them';
