import { Config } from '../../src/config/config.js';
import { Node } from '../../src/graph/index.js';
import { ChangeLog } from '../../src/kernel/change-log/change-log.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type Chance } from '../properties/random.js';
import { type TestUser, World } from '../support/world.js';

export const WRITERS = 16;

/** Writers hold connections during their pauses; readers need some as well. */
export async function worldOfWriters(): Promise<World> {
  const world = await World.startHere({ DATABASE_POOL: String(WRITERS + 8) });
  expect(world.nest.get(Config).databasePool).toBe(WRITERS + 8);
  return world;
}

/** Writers of one person's changes, with pauses and failures. */
export class Writers {
  private readonly log = new ChangeLog();
  private readonly database: Database;
  private readonly units: UnitOfWork;

  constructor(
    world: World,
    private readonly owner: TestUser,
    private readonly chance: Chance,
  ) {
    this.database = world.nest.get(Database);
    this.units = world.nest.get(UnitOfWork);
  }

  /**
   * Runs a number of units, unless it is over before.
   * @param inUnit runs in each of them, before its pause
   * @returns the number of committed changes
   */
  async commit(
    commits: number,
    inUnit: () => Promise<unknown> = () => Promise.resolve(),
    isOver = () => false,
  ): Promise<number> {
    let [begun, kept] = [0, 0];
    const one = async (): Promise<void> => {
      while (begun < commits && !isOver()) {
        begun++;
        const count = await this.write(inUnit);
        kept += count;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, one));
    return kept;
  }

  /**
   * One unit: some changes, a pause somewhere in between, and in one of five cases a failure at its end. @returns the
   * number of committed changes
   */
  private async write(inUnit: () => Promise<unknown>): Promise<number> {
    const count = 1 + this.chance.below(3);
    const [pause, fails] = [this.chance.below(8) / 1000, this.chance.once(5)];
    try {
      await this.units.run(async () => {
        await inUnit();
        await this.database.write(sql`SELECT pg_sleep(${pause})`);
        for (let i = 0; i < count; i++) this.append(this.born());
        if (fails) throw new Error('rolled back');
      });
      return count;
    } catch (error) {
      if ((error as Error).message === 'rolled back') return 0;
      throw error;
    }
  }

  private append(node: Node): void {
    const { id, facts, version } = node;
    this.log.append({
      ownerId: this.owner.id,
      entity: 'node',
      entityId: id,
      action: 'created',
      version,
      snapshot: node.snapshot(),
      facts,
    });
  }

  private born(): Node {
    const given = { title: 't', node_type: 'note' };
    return Node.create(given, { ownerId: this.owner.id, id: newId(), createdAt: new Date() });
  }
}
