import { type Chance } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { type Both, type Twins } from './twins.js';

/** Called with the owner's operation and its status. */
export type Heard = (operation: string, status: number) => void;

interface Listed {
  id: string;
  type: string;
  canonical_data: unknown;
  actions: unknown;
}

/** Matches changes that could remove a mask bound to a tag or a type. The owner approves them in no story. */
const UNMASKING = /"(tags|node_type|type":"(ADD|REMOVE)_TAGS|type":"MERGE_NODES)"/;
/** Matches changes judged by the whole node when the owner applies them: their app learns the outcome (ADR 23). */
const WHOLE = /"(metadata|agent_metadata|schema_id|meaning_level|node_type)"/;

/** The owner reviews proposals, the same in both worlds. */
export class Reviews {
  constructor(
    private readonly twins: Twins,
    private readonly alice: Both<Client>,
    private readonly chance: Chance,
    private readonly options: { isBound: boolean; heard: Heard },
  ) {}

  async step(): Promise<string> {
    const { chance } = this;
    const told = chance.once(4) ? null : await this.decide();
    return told ?? (await this.takeBack()) ?? 'nothing';
  }

  private async decide(): Promise<string | null> {
    const { chance, options } = this;
    const proposal = await this.one(
      'READY_FOR_APPROVAL',
      (text) => !options.isBound || !UNMASKING.test(text),
    );
    if (proposal === null) return null;
    if (chance.once(6)) return this.does(proposal.id, 'reject');
    const told = await this.does(proposal.id, 'approve');
    // Otherwise its app applies it.
    const isForApp = WHOLE.test(textOf(proposal)) || (await this.meetsNewer(proposal));
    return isForApp ? told : this.does(proposal.id, 'apply');
  }

  /** Tells whether it is a conflict for the owner in either world: when they apply it, its app learns that (ADR 41). */
  private async meetsNewer({ id }: Listed): Promise<boolean> {
    const path = `/proposals/${id}/diff`;
    const [one, other] = await this.twins.send(this.alice, { method: 'GET', path });
    return one.body.conflicts > 0 || other.body.conflicts > 0;
  }

  private async takeBack(): Promise<string | null> {
    const proposal = await this.one('APPLIED', (text) => !WHOLE.test(text) && !UNMASKING.test(text));
    return proposal === null ? null : this.does(proposal.id, 'revert');
  }

  private async one(status: string, suits: (text: string) => boolean): Promise<Listed | null> {
    const [{ body }] = await this.twins.send(this.alice, {
      method: 'GET',
      path: `/proposals?status=${status}`,
    });
    const suitable = (body.proposals as Listed[]).filter((proposal) => suits(textOf(proposal)));
    return suitable.length === 0 ? null : this.chance.pick(suitable);
  }

  private async does(id: string, verb: string): Promise<string> {
    const path = `/proposals/${id}/${verb}`;
    const [one, other] = await this.twins.send(this.alice, { method: 'POST', path, body: {} });
    this.options.heard(`POST /api/v1/proposals/{proposal_id}/${verb}`, one.status);
    if (one.status !== other.status) throw new Error(`${path}: ${one.text} ${other.text}`);
    return `by the owner: POST ${path} ${one.status}`;
  }
}

const textOf = ({ type, canonical_data, actions }: Listed): string =>
  JSON.stringify({ type, canonical_data, actions });
