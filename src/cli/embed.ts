import { EmbeddingRun } from '../graph/index.js';
import { Users } from '../identity/index.js';
import { print, UsageError, withService } from './operator.js';
import { EmbeddingWatch } from './progress.js';
import { userNamed } from './user-named.js';

/**
 * The command `embed`: sends the texts that wait for their vectors, of one owner or of all who have switched it on. A
 * worker of the service does the same; it may be at work meanwhile.
 * @throws UsageError, Interrupted
 */
export async function embed(name: string | undefined): Promise<void> {
  const watch = new EmbeddingWatch();
  await watch.during(() =>
    withService(async (app) => {
      const run = app.get(EmbeddingRun);
      if (!run.hasService) throw new UsageError('EMBEDDINGS_URL is not set: there is no service for vectors');
      const user = name === undefined ? null : await userNamed(app, name);
      const owners = user === null ? await run.owners() : [user.id];
      if (owners.length === 0) return print('No owner has switched vectors of the service on.');
      for (const ownerId of owners) {
        const username = (user ?? (await app.get(Users).find(ownerId)))?.username ?? ownerId;
        watch.begin(username);
        const vectors = await run.of(ownerId, watch.show);
        if (vectors !== null) print(`${username} has ${vectors.toLocaleString('en')} vectors`);
        else if (user !== null)
          throw new UsageError(
            `${username} has not switched it on: only they can, by PUT /graph/embedding-settings`,
          );
      }
    }),
  );
}
