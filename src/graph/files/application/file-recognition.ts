import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime-types';
import { type FileKind } from '../../common/index.js';
import { fileKindOf } from '../domain/file-kind.js';
import { type StagedBlob } from './blob-intake.js';

/**
 * Recognises the kind of a received file from its name, the client's claim and its first bytes, each
 * trusted as far as it is safe.
 */
export async function recognise(filename: string, claimed: string, blob: StagedBlob): Promise<FileKind> {
  const detected = (await fileTypeFromBuffer(blob.head).catch(() => undefined)) ?? null;
  const named = mime.lookup(filename);
  return fileKindOf({
    filename,
    claimed,
    detected,
    named: named === false ? null : named,
    isText: detected === null && isText(blob),
  });
}

/** True for UTF-8 without control characters, as far as it was read; the last character may be incomplete. */
function isText({ head, size }: StagedBlob): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length < size });
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}
