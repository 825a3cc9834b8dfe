// An S3 server for tests on loopback: s3rver, and the two calls on unfinished uploads that it lacks. Its check of
// signatures disagrees with the SDK about requests for a bucket and is off: every caller who knows the key is admitted.
//   node s3-server.mjs <directory> <port> <bucket>      the key: S3_SERVER_KEY
import S3rver from '@20minutes/s3rver';
import accounts from '@20minutes/s3rver/lib/models/account.js';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const [directory, port, bucket] = process.argv.slice(2);
accounts.DUMMY_ACCOUNT.revokeAccessKey('S3RVER');
accounts.DUMMY_ACCOUNT.createKeyPair(process.env.S3_SERVER_KEY, process.env.S3_SERVER_KEY);

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket }],
});

const uploadsOf = (name) => server.store.getResourcePath(name, undefined, 'uploads');

/** AbortMultipartUpload. */
async function abort(ctx) {
  const uploadId = ctx.query.uploadId;
  if (!/^[\w-]+$/.test(uploadId)) return ctx.throw(404);
  await rm(join(uploadsOf(ctx.path.split('/')[1]), uploadId), { recursive: true, force: true });
  ctx.status = 204;
}

/** ListMultipartUploads. */
async function list(ctx) {
  const name = ctx.path.split('/')[1];
  const folder = uploadsOf(name);
  const entries = await Promise.all(
    (await readdir(folder).catch(() => [])).map(async (id) => {
      const key = await readFile(join(folder, id, 'key'), 'utf8');
      const { birthtime } = await stat(join(folder, id));
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`;
    }),
  );
  ctx.type = 'application/xml';
  ctx.body = `<ListMultipartUploadsResult><Bucket>${name}</Bucket>${entries.join('')}</ListMultipartUploadsResult>`;
}

server.middleware.unshift(async (ctx, next) => {
  if (ctx.method === 'DELETE' && 'uploadId' in ctx.query) return abort(ctx);
  if (ctx.method === 'GET' && 'uploads' in ctx.query) return list(ctx);
  return next();
});

await server.run();
