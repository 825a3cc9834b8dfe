import { type Chance, Chance as Chances } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { bindingOf, hiddenFields, type InnerSubject, MASKED_TYPE, OPEN_TYPE } from './inner-subjects.js';
import { line } from './secret-life.js';
import { type Tagging } from './subjects.js';
import { type Both, type Request, type Twins } from './twins.js';

interface Secrets {
  pin: unknown;
  value: unknown;
}

export interface OwnerSetting {
  subject: InnerSubject;
  alice: Both<Client>;
  /** The path at which nodes are created: Alice's, or the group's. */
  nodes: string;
  tagging: Tagging;
  /** Nodes that the subject may see. */
  visible: readonly string[];
}

/** Without schema and shape: the subject's changes to a node must not block its owner. */
const FREE = { schema_id: null, meaning_level: 'CONTEXT' };

/**
 * The owner's deeds on nodes that the subject sees: hidden fields, different in each world; and the masks that hide
 * them, removed and added again, the same in both worlds. Without a mask its fields are equal in both.
 */
export class OwnerDeeds {
  /** The pin and value of each node in either world: candidates for a caller's guesses. */
  private readonly secrets: Both<Map<string, Secrets>> = [new Map(), new Map()];
  private readonly chances: Both<Chance>;
  private readonly unmasked = new Set<string>();
  /** Nodes with older versions that had no mask and differ: their mask is never removed. */
  private readonly veterans = new Set<string>();
  private count = 0;

  constructor(
    private readonly twins: Twins,
    private readonly setting: OwnerSetting,
    private readonly chance: Chance,
  ) {
    this.chances = [new Chances(chance.below(2 ** 30)), new Chances(chance.below(2 ** 30))];
  }

  /** Nodes that are older than the subject's access, which was given when the mask was on. */
  async furnish(titles: readonly string[]): Promise<string[]> {
    const { nodes, tagging } = this.setting;
    const ids: string[] = [];
    for (const title of titles) {
      const tags =
        bindingOf(this.setting.subject) === 'tag' ? [tagging.shown] : [tagging.shown, tagging.spare];
      const node_type = bindingOf(this.setting.subject) === 'type' ? OPEN_TYPE : MASKED_TYPE;
      const [answer] = await this.both('POST', nodes, (side) => ({
        title,
        node_type,
        tags,
        ...this.hidden(side, null),
      }));
      const id = answer.body.id as string;
      this.veterans.add(id);
      ids.push(id);
      await this.both('PUT', `${nodes}/${id}`, (side) => this.hidden(side, id));
      await this.mask(id);
    }
    return ids;
  }

  /** @returns a description of the deed */
  async step(): Promise<string> {
    const { chance } = this;
    const id = chance.pick(this.setting.visible);
    const isBound = bindingOf(this.setting.subject) !== null;
    if (isBound && chance.once(4)) return this.moveMask(id);
    if (this.setting.nodes === '/nodes' && chance.once(5)) return this.embed(id);
    const method = this.setting.nodes === '/nodes' && chance.once(2) ? 'PATCH' : 'PUT';
    return this.told(method, `${this.setting.nodes}/${id}`, (side) => this.fields(id, side));
  }

  /** A value of either world, which the caller cannot know: a guess that is right in one of them. */
  guess(node: string | null, field: keyof Secrets): unknown {
    if (node === null) return undefined;
    return this.secrets[this.chance.below(2)]?.get(node)?.[field];
  }

  /** True while the tag to which the mask is bound exists: a rule does not follow its name. */
  async hasTag(): Promise<boolean> {
    const { subject, nodes, tagging, alice } = this.setting;
    if (bindingOf(subject) !== 'tag' || nodes !== '/nodes') return true;
    const [answer] = await this.twins.send(alice, { method: 'GET', path: `/tags/${tagging.spare}` });
    return answer.status === 200;
  }

  private async moveMask(id: string): Promise<string> {
    if (this.veterans.has(id) || !(await this.hasTag())) return 'nothing';
    if (this.unmasked.has(id)) {
      const told = await this.mask(id);
      this.unmasked.delete(id);
      return told;
    }
    // Hidden values become equal before the mask is removed.
    const path = `${this.setting.nodes}/${id}`;
    if (this.setting.nodes === '/nodes') await this.both('PUT', `${path}/embedding`, () => EQUAL_VECTOR);
    const equal = this.equal();
    const [one, other] = await this.both('PUT', path, () => equal);
    if (one.status >= 300 || other.status >= 300) return 'nothing';
    this.unmasked.add(id);
    return this.told('PUT', path, () => this.unmasking());
  }

  private mask(id: string): Promise<string> {
    const { subject, nodes, tagging } = this.setting;
    const binding = bindingOf(subject);
    if (binding === null) return Promise.resolve('nothing');
    const body = binding === 'tag' ? { tags: [tagging.shown, tagging.spare] } : { node_type: MASKED_TYPE };
    return this.told('PUT', `${nodes}/${id}`, () => body);
  }

  private unmasking(): object {
    const { subject, tagging } = this.setting;
    return bindingOf(subject) === 'tag' ? { tags: [tagging.shown] } : { node_type: OPEN_TYPE, ...FREE };
  }

  private embed(id: string): Promise<string> {
    const isOpen = this.unmasked.has(id);
    const vector = (side: 0 | 1): object =>
      isOpen ? EQUAL_VECTOR : { embedding: [0.1, side, this.chances[side].below(9)] };
    return this.told('PUT', `${this.setting.nodes}/${id}/embedding`, vector);
  }

  private fields(id: string, side: 0 | 1): object {
    return this.unmasked.has(id) ? this.equal(side) : this.hidden(side, id);
  }

  private hidden(side: 0 | 1, id: string | null): object {
    const { body, pin } = hiddenFields(this.setting.subject, this.chances[side], ++this.count);
    if (id !== null) this.secrets[side].set(id, { pin, value: body['value'] });
    return { ...body, ...FREE };
  }

  /** A value that is the same in both worlds, and unique. */
  private equal(side: 0 | 1 = 0): object {
    if (side === 0) this.count++;
    const text = `open ${this.count}`;
    return { value: text, metadata: { secret: { open: text }, properties: { pin: text } }, ...FREE };
  }

  private async told(method: string, path: string, body: (side: 0 | 1) => object): Promise<string> {
    const bodies = [body(0), body(1)];
    const answers = await this.both(method, path, (side) => bodies[side] as object);
    const words = ([0, 1] as const).map(
      (side) => `${line({ method, path, body: bodies[side] })} ${answers[side].status}`,
    );
    return `by the owner: ${words[0] === words[1] ? words[0] : words.join(' | ')}`;
  }

  private async both(method: string, path: string, body: (side: 0 | 1) => object) {
    const request = (side: 0 | 1): Request => ({ method, path, body: body(side) });
    const [one, other] = await this.twins.sendEach(this.setting.alice, [request(0), request(1)], true);
    if (one === null || other === null || one.status !== other.status)
      throw new Error(`${method} ${path}: ${one?.text} ${other?.text}`);
    return [one, other] as const;
  }
}

const EQUAL_VECTOR = { embedding: [0.1, 0.2, 0.3] };
