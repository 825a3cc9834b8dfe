import { describe, expect, it } from '@jest/globals';
import { ApiRefusal } from '../../domain/api.js';
import { sentenceOf } from './refusals.js';

const links = {
  node: (id: string) => `/nodes/${id}`,
  app: (id: string | null) => `/apps/${id ?? ''}`,
  proposal: (id: string) => `/proposals/${id}`,
};
const of = (status: number, message: string, details = {}, code = 'CODE') =>
  sentenceOf(new ApiRefusal(status, code, message, details), links, 'a');

describe('sentenceOf', () => {
  it('names the fault of each field once', () => {
    const violations = [
      { field: 'title', message: 'must be short' },
      { field: 'tags', message: 'must be text' },
    ];
    expect(of(400, 'title: must be short', { violations })).toBe('title: must be short. tags: must be text.');
    expect(of(400, 'Two fields are wrong', { violations })).toBe(
      'Two fields are wrong. title: must be short. tags: must be text.',
    );
  });

  it('says the same of all that is absent or hidden', () => {
    const text = 'I cannot find this: it does not exist, or I may not see it.';
    expect([of(404, 'No node'), of(404, 'No tag', { id: 'x' })]).toEqual([text, text]);
  });

  it('links to the page on which the person can allow more', () => {
    const denied = of(403, 'Not permitted', {}, 'PERMISSION_DENIED');
    expect(denied).toBe(
      'Not permitted. Ask the person to connect me again and to allow this, or to let me see more: /apps/a',
    );
  });

  it('asks for room where a quota is used up, and never for a permission', () => {
    const full = of(403, 'The quota `nodes` is used up', { quota: 'nodes' }, 'QUOTA_EXCEEDED');
    expect(full).toBe('The quota `nodes` is used up. Nothing was saved: only the person can make room.');
    for (const code of ['FORBIDDEN', 'ADMIN_REQUIRED', 'NOT_A_MEMBER'])
      expect(of(403, 'Not for apps', {}, code)).toBe('Not for apps.');
  });
});
