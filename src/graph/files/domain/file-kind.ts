import { type DataType, type FileKind, type StructureType } from '../../common/index.js';

/** Claims about a file from outside, and the evidence of its first bytes. */
export interface FileClues {
  filename: string;
  /** The client's claim. */
  claimed: string;
  /** The format by the signature of the bytes; null for formats without one. */
  detected: { mime: string; ext: string } | null;
  /** The media type by the extension of the name; null when unknown. */
  named: string | null;
  /** True if the bytes are UTF-8 text. */
  isText: boolean;
}

/** Types that a browser would execute, or that load other documents. */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl|javascript|ecmascript|jscript|livescript|x-.*script.*|cache-manifest|event-stream)|image\/svg.*|multipart\/.*|message\/.*|application\/(?:x-)?(?:xhtml|xml|javascript|ecmascript|json-seq|shockwave-flash|java.*|mathml|futuresplash|manifest|wasm).*|application\/.*\+xml|application\/hta)$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const VAGUE = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-download']);

/**
 * The claim if it is harmless, else the type of the bytes (rule 6.6). A claim without information gives way
 * to the bytes, then to the name.
 */
function mediaTypeOf({ claimed, detected, named, isText }: FileClues): string {
  const claim = claimed.trim().toLowerCase();
  if (MEDIA_TYPE.test(claim) && !ACTIVE.test(claim) && !VAGUE.has(claim)) return claim;
  if (detected !== null && !ACTIVE.test(detected.mime)) return detected.mime;
  if (VAGUE.has(claim) && named !== null && !ACTIVE.test(named) && isText === isTextual(named)) return named;
  return isText && !VAGUE.has(claim) ? 'text/plain' : 'application/octet-stream';
}

/** True if a file may have this type without an upload's recognition, as in an archive. */
export function isMediaType(text: string): boolean {
  const [, type = '', parameter] = /^([^;]+)(;.*)?$/s.exec(text) ?? [];
  if (!MEDIA_TYPE.test(type) || ACTIVE.test(type)) return false;
  return parameter === undefined || /^; (?:charset|codecs)=[\w.:+-]{1,40}$/.test(parameter);
}

const STRUCTURED = new Set(['json', 'csv', 'xml', 'yaml', 'yml', 'tsv', 'parquet']);
const TEXTUAL = /^text\/|^application\/(?:json|ld\+json|yaml|x-yaml|toml|sql|x-ndjson|graphql)$|\+json$/;
const DOCUMENT =
  /^application\/(?:pdf|rtf|epub\+zip|msword|vnd\.ms-(?:excel|powerpoint|word|works).*|vnd\.openxmlformats-officedocument\..*|vnd\.oasis\.opendocument\..*|vnd\.apple\.(?:pages|numbers|keynote)|x-(?:iwork|tex|latex).*|postscript)$/;

const isTextual = (mediaType: string): boolean => TEXTUAL.test(mediaType);

export function fileKindOf(clues: FileClues): FileKind {
  const mime_type = mediaTypeOf(clues);
  const format = extensionOf(clues.filename) ?? clues.detected?.ext ?? null;
  return {
    mime_type,
    data_type: dataTypeOf(mime_type, clues),
    format,
    structure_type: structureTypeOf(format),
  };
}

const structureTypeOf = (format: string | null): StructureType =>
  format !== null && STRUCTURED.has(format) ? 'structured' : 'unstructured';

/** The data type by the served media type, or by the name when that type is unspecific. */
function dataTypeOf(mediaType: string, { named, isText }: FileClues): DataType {
  const known = familyOf(mediaType);
  if (known !== 'other' || named === null) return known;
  const family = familyOf(named);
  return family === 'text' && !isText ? 'other' : family;
}

function familyOf(mediaType: string): DataType {
  const [family] = mediaType.split('/');
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  if (DOCUMENT.test(mediaType)) return 'document';
  return isTextual(mediaType) || /^(?:application\/(?:xml|javascript)|.*\+xml)$/.test(mediaType)
    ? 'text'
    : 'other';
}

/** The extension of the name: lower case, without the dot. */
function extensionOf(filename: string): string | null {
  return /[^./\\]\.([a-z0-9_+-]{1,16})$/.exec(filename.toLowerCase())?.[1] ?? null;
}
