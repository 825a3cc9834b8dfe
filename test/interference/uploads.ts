import { type Request } from './twins.js';

/** A small text file, sent as a form does. */
export function upload(path: string, text: string, tags: string[] = []): Request {
  const part = (disposition: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const named = tags.length === 0 ? '' : part('name="tags"', JSON.stringify(tags));
  const body = `${named}${part(`name="file"; filename="${text}.txt"`, text)}--x--\r\n`;
  return { method: 'POST', path, body, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
}
