import { type Request } from './twins.js';

/** A small text file, sent as a form does; a raw file's tags are named by their ids, a node's by their names. */
export function upload(path: string, text: string, tags: string[] = []): Request {
  const part = (disposition: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const isRaw = path.endsWith('/raw-files');
  const field = isRaw ? part('name="tag_ids"', tags.join(',')) : part('name="tags"', JSON.stringify(tags));
  const body = `${tags.length === 0 ? '' : field}${part(`name="file"; filename="${text}.txt"`, text)}--x--\r\n`;
  return { method: 'POST', path, body, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
}
