import { Users } from '../identity/index.js';
import { isId } from '../kernel/ids.js';
import { ErasureService } from '../portability/index.js';
import { print, UsageError, withService } from './operator.js';

/** The command `erase-user`. It takes only the id: erasure is final, and names are too easily confused. */
export async function eraseUser(id: string): Promise<void> {
  await withService(async (app) => {
    const user = isId(id) ? await app.get(Users).find(id.toLowerCase()) : null;
    if (!user) throw new UsageError(`there is no user with the id ${id}`);
    await app.get(ErasureService).eraseUnasked(user);
    print(`The account of ${user.username} (${user.id}) is erased, with all that was in it.`);
  });
}
