import fc from 'fast-check';
import { type Answer, type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { codeOf, node } from '../support/worlds/nodes.js';

const SEED = Number(process.env.SEED ?? 20261121);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 30 : 10));

const STATUSES = ['PENDING', 'READY_FOR_APPROVAL', 'APPROVED', 'REJECTED', 'APPLIED', 'FAILED'] as const;
type Status = (typeof STATUSES)[number];
const DOINGS = [
  'enrich',
  'enrich and offer',
  'offer',
  'take back',
  'approve',
  'approve old',
  'reject',
].concat(['apply', 'revert', 'delete', 'read']);
const CALLERS = ['its app', 'its user', 'another app', 'another user'] as const;
type CallerName = (typeof CALLERS)[number];

/** A proposal as the model sees it: one that makes a node, or one that renames the shared one. */
interface Model {
  id: string;
  status: Status;
  revision: number;
  wants: string | null;
  base: string;
  /** The changes of the application, for reverting. */
  done: { from: string } | 'made' | null;
  reverted: boolean;
  deleted: boolean;
}

interface Step {
  caller: CallerName;
  doing: string;
  which: number;
}

const WAITS: Status[] = ['PENDING', 'READY_FOR_APPROVAL'];
/** The statuses in which an action is possible (specification and rules 8.4-8.7, written again by hand). */
const POSSIBLE: Record<string, Status[]> = {
  enrich: WAITS,
  'enrich and offer': WAITS,
  offer: WAITS,
  'take back': WAITS,
  approve: ['READY_FOR_APPROVAL', 'FAILED'],
  'approve old': ['READY_FOR_APPROVAL', 'FAILED'],
  reject: [...WAITS, 'APPROVED'],
  apply: ['APPROVED'],
  revert: ['APPLIED'],
  delete: ['PENDING', 'READY_FOR_APPROVAL', 'REJECTED', 'FAILED'],
  read: [...STATUSES],
};
const FOR_KEYS = ['enrich', 'enrich and offer', 'offer', 'take back'];
const FOR_USERS = ['approve', 'approve old', 'reject', 'revert'];

/** One person's proposals, run and predicted. */
class Walk {
  private readonly models: Model[] = [];
  private title = 'base';
  private nodes = 1;
  private count = 0;

  constructor(
    private readonly clients: Record<CallerName, Client>,
    private readonly shared: { id: string },
    private version = 1,
  ) {}

  async edit(): Promise<void> {
    this.title = this.count++ % 3 === 0 ? 'base' : `edit ${this.count}`;
    const { body } = await this.clients['its user'].put(`/nodes/${this.shared.id}`, { title: this.title });
    this.version = body.version as number;
  }

  async submit({ renames, namesBase }: { renames: boolean; namesBase: boolean }): Promise<void> {
    const wants = renames ? `wanted ${this.count++}` : null;
    const data =
      wants === null
        ? { canonical_data: { title: 'made', node_type: 'note' } }
        : {
            type: 'UPDATE_NODE',
            canonical_data: {
              node_id: this.shared.id,
              changes: { title: wants },
              ...(namesBase ? { base_version: this.version } : {}),
            },
          };
    const { body, status } = await this.clients['its app'].post('/proposals', { title: 'p', ...data });
    expect([status, body.status, body.revision]).toEqual([201, 'PENDING', 1]);
    const base = this.title;
    const rest = { done: null, reverted: false, deleted: false };
    this.models.push({ id: body.id, status: 'PENDING', revision: 1, wants, base, ...rest });
  }

  async take(step: Step): Promise<void> {
    const model = this.models[step.which % Math.max(this.models.length, 1)];
    if (model === undefined) return;
    const refusal = this.refusal(step, model);
    const answer = await this.send(step, model);
    const told = { step, status: model.status, answer: answer.status < 400 ? null : codeOf(answer) };
    expect(told).toEqual({ ...told, answer: refusal });
    if (refusal === null) await this.follow(step, model, answer);
    await this.compare(model);
  }

  private refusal({ caller, doing }: Step, model: Model): [number, string] | null {
    const isKey = caller === 'its app' || caller === 'another app';
    if (isKey ? FOR_USERS.includes(doing) : FOR_KEYS.includes(doing)) return [403, 'PERMISSION_DENIED'];
    if (caller.startsWith('another') || model.deleted) return [404, 'NOT_FOUND'];
    if (!POSSIBLE[doing]!.includes(model.status) || (doing === 'revert' && model.reverted)) {
      return [409, doing === 'apply' ? 'PROPOSAL_NOT_APPROVED' : 'INVALID_STATE_TRANSITION'];
    }
    return doing === 'approve old' ? [409, 'REVISION_CONFLICT'] : null;
  }

  private send({ caller, doing }: Step, { id, revision }: Model): Promise<Answer> {
    const by = this.clients[caller];
    const path = `/proposals/${id}`;
    const content = { reasoning_metadata: { thought: this.count++ } };
    if (doing === 'read') return by.get(path);
    if (doing === 'delete') return by.delete(path);
    if (doing === 'enrich') return by.patch(path, content);
    if (doing === 'enrich and offer') return by.patch(path, { ...content, status: 'READY_FOR_APPROVAL' });
    if (doing === 'offer') return by.patch(path, { status: 'READY_FOR_APPROVAL' });
    if (doing === 'take back') return by.patch(path, { status: 'PENDING' });
    if (doing === 'approve') return by.post(`${path}/approve`, { expected_revision: revision });
    if (doing === 'approve old') return by.post(`${path}/approve`, { expected_revision: revision + 1 });
    return by.post(`${path}/${doing}`, {});
  }

  private async follow({ doing }: Step, model: Model, answer: Answer): Promise<void> {
    if (doing.startsWith('enrich')) model.revision++;
    if (doing === 'enrich' || doing === 'take back') model.status = 'PENDING';
    if (doing === 'offer' || doing === 'enrich and offer') model.status = 'READY_FOR_APPROVAL';
    if (doing === 'approve') model.status = 'APPROVED';
    if (doing === 'reject') model.status = 'REJECTED';
    if (doing === 'delete') model.deleted = true;
    if (doing === 'apply') this.apply(model, answer);
    if (doing === 'revert') this.revert(model, answer);
    const { body } = await this.clients['its user'].get(`/nodes/${this.shared.id}`);
    expect(body.title).toBe(this.title);
    this.version = body.version as number;
  }

  private apply(model: Model, { body }: Answer): void {
    const { wants } = model;
    const isConflict = wants !== null && this.title !== model.base && this.title !== wants;
    model.status = isConflict ? 'FAILED' : 'APPLIED';
    expect([body.status, body.nodes_created]).toEqual([model.status, wants === null ? 1 : 0]);
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(isConflict ? ['CONFLICT'] : []);
    if (isConflict) return;
    model.done = wants === null ? 'made' : { from: this.title };
    if (wants === null) this.nodes++;
    else this.title = wants;
  }

  private revert(model: Model, { body }: Answer): void {
    model.reverted = true;
    if (model.done === 'made') this.nodes--;
    else if (model.done !== null && model.done.from !== model.wants) {
      const isMine = this.title === model.wants;
      expect(body.not_undone.length).toBe(isMine || this.title === model.done.from ? 0 : 1);
      if (isMine) this.title = model.done.from;
    }
  }

  private async compare(model: Model): Promise<void> {
    const answer = await this.clients['its user'].get(`/proposals/${model.id}`);
    if (model.deleted) expect(answer.status).toBe(404);
    else expect(answer.body).toMatchObject({ status: model.status, revision: model.revision });
    const living = this.models.filter(({ deleted }) => !deleted).length;
    expect((await this.clients['its app'].get('/proposals')).body.total).toBe(living);
    expect((await this.clients['its user'].get('/nodes')).body.total).toBe(this.nodes);
  }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('submit' as const),
        renames: fc.boolean(),
        namesBase: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const) }) },
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('step' as const),
        caller: fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...CALLERS.slice(0, 2)) },
          { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
        ),
        doing: fc.constantFrom(...DOINGS, 'offer', 'approve', 'apply', 'approve', 'apply'),
        which: fc.nat(3),
      }),
    },
  ),
  { minLength: 15, maxLength: 40, size: 'max' },
);

describe(`random paths of proposals against a model (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let apps: TestApp[];
  let bob: TestUser;

  beforeAll(async () => {
    world = await World.start();
    apps = [await world.app(), await world.app()];
    bob = await world.user();
  });
  afterAll(() => world.stop());

  it('proposals and the model agree in status, code, effect and revision', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (path) => {
        const alice = await world.user();
        const [own, other] = [await alice.lets(apps[0]!), await alice.lets(apps[1]!)];
        const clients = { 'its app': own, 'its user': alice, 'another app': other, 'another user': bob };
        const walk = new Walk(clients, await node(alice, { title: 'base' }));
        for (const step of path) {
          if (step.kind === 'submit') await walk.submit(step);
          else if (step.kind === 'edit') await walk.edit();
          else await walk.take(step);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }, 600_000);
});
