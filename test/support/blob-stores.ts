import { BlobMissing, type BlobStore } from '../../src/graph/files/application/blob-store.js';
import { newId } from '../../src/kernel/ids.js';

const MB = 1_048_576;
const HOUR = 3_600_000;

/** One suite for both adapters; `unfinished` lists remains of aborted uploads, if they can be seen. */
export function keepsBlobs(where: string, open: () => BlobStore, unfinished = (): string[] => []) {
  describe(`blob store ${where}`, () => {
    let store: BlobStore;

    beforeAll(() => {
      store = open();
    });

    const pattern = Buffer.from(Array.from({ length: 253 }, (_, index) => (index * 7) % 253));
    const bytes = (size: number): Buffer => Buffer.alloc(size, pattern);

    async function* chunks(content: Buffer, size = 65_536): AsyncGenerator<Buffer> {
      for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size);
    }

    async function write(content: Buffer): Promise<string> {
      const key = newId();
      await store.write(key, chunks(content));
      return key;
    }

    async function read(key: string, range?: { start: number; end: number }): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const part of await store.read(key, range)) parts.push(part as Buffer);
      return Buffer.concat(parts);
    }

    async function keys(): Promise<string[]> {
      const found: string[] = [];
      for await (const { key } of store.list()) found.push(key);
      return found;
    }

    it('blobs come back unchanged in any size', async () => {
      for (const size of [0, 1, 65_536, 5 * MB - 1, 5 * MB, 12 * MB + 3]) {
        const content = bytes(size);
        const key = await write(content);
        expect(await store.size(key)).toBe(size);
        expect((await read(key)).equals(content)).toBe(true);
      }
    });

    it('blobs are read in part', async () => {
      const content = bytes(11 * MB);
      const key = await write(content);
      for (const [start, end] of [
        [0, 1],
        [5, 9],
        [5 * MB - 1, 5 * MB],
        [11 * MB - 2, 11 * MB - 1],
      ] as [number, number][]) {
        expect((await read(key, { start, end })).equals(content.subarray(start, end + 1))).toBe(true);
      }
    });

    it('blobs that are aborted at their beginning or far in leave nothing', async () => {
      for (const before of [0, 1, 7 * MB]) {
        const key = newId();
        const broken = async function* (): AsyncGenerator<Buffer> {
          yield* chunks(bytes(before));
          throw new Error('the sender is gone');
        };
        await expect(store.write(key, broken())).rejects.toThrow('the sender is gone');
        expect(await store.size(key)).toBeNull();
        expect(await keys()).not.toContain(key);
      }
      expect(await store.removeUnfinished(new Date(Date.now() + HOUR))).toBe(0);
      expect(unfinished()).toEqual([]);
    });

    it('blobs that are absent are reported as such, and removed without complaint', async () => {
      await expect(store.read(newId())).rejects.toThrow(BlobMissing);
      expect(await store.size(newId())).toBeNull();
      await store.remove(newId());
    });

    it('blobs are listed with their age, until they are removed', async () => {
      const key = await write(bytes(10));
      const found: Date[] = [];
      for await (const blob of store.list()) if (blob.key === key) found.push(blob.modified);
      expect(found.length).toBe(1);
      expect(Math.abs((found[0] as Date).getTime() - Date.now())).toBeLessThan(HOUR);
      await store.remove(key);
      expect(await keys()).not.toContain(key);
      await expect(store.read(key)).rejects.toThrow(BlobMissing);
    });

    it('blobs have keys as their only names', async () => {
      for (const key of ['../../etc/passwd', '', '.', `${newId()}/..`]) {
        await expect(store.write(key, chunks(bytes(1)))).rejects.toThrow();
        await expect(store.read(key)).rejects.toThrow('UUID');
      }
    });

    it('blobs do not mix in concurrent uploads', async () => {
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, index) => write(Buffer.alloc(300_000, index))),
      );
      for (const [index, key] of made.entries()) {
        expect((await read(key)).equals(Buffer.alloc(300_000, index))).toBe(true);
      }
    });

    it('blobs are read in chunks of at most 64 KiB, of which slow readers hold several (rule 11.9k)', async () => {
      const key = await write(bytes(2 * MB));
      for await (const part of await store.read(key))
        expect((part as Buffer).length).toBeLessThanOrEqual(65_536);
    });

    it('blobs survive a reader who leaves early', async () => {
      const key = await write(bytes(6 * MB));
      const stream = await store.read(key);
      await stream[Symbol.asyncIterator]().next();
      stream.destroy();
      expect((await read(key)).length).toBe(6 * MB);
    });

    it('blobs have a health check', () => store.check());
  });
}
