import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});
const number = (description: string) => ({
  description,
  schema: { type: 'integer' as const },
  example: 1024,
});

const SHA_256 = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"';
const HEADERS = {
  'Content-Type': text(
    'The detected media type; application/octet-stream when it is hidden.',
    'application/pdf',
  ),
  'Content-Disposition': text(
    'Always an attachment to save, never to display.',
    "attachment; filename*=UTF-8''boat.pdf",
  ),
  'Accept-Ranges': text('Single ranges of bytes.', 'bytes'),
  ETag: text('The SHA-256 of the whole content, in quotes; for If-Range.', SHA_256),
};
const CONTENT = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } as const;

/**
 * Documents the parameters and answers of a download. Placed above `@Endpoint`, whose plain 200 it
 * replaces.
 */
export const Download = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes, as `bytes=0-1023`; for several, the whole is sent.',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description: 'An ETag: the range applies only while the content has this ETag.',
    }),
    ApiResponse({
      status: 200,
      description: 'The whole content.',
      content: CONTENT,
      headers: { ...HEADERS, 'Content-Length': number('Bytes of the content.') },
    }),
    ApiResponse({
      status: 206,
      description: 'The requested range.',
      content: CONTENT,
      headers: {
        ...HEADERS,
        'Content-Length': number('Bytes of the range.'),
        'Content-Range': text('Which bytes these are, and how many there are in all.', 'bytes 0-1023/146515'),
      },
    }),
  );
