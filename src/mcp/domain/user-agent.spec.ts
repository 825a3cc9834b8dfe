import { describe, expect, it } from '@jest/globals';
import { programOf } from './user-agent.js';

describe('programOf', () => {
  it.each([
    ['claude-code/2.1.287 (cli)', { name: 'claude-code', version: '2.1.287' }],
    ['Cursor/3.1', { name: 'Cursor', version: '3.1' }],
    ['nodebook/1.0', { name: 'nodebook', version: '1.0' }],
  ])('names the program of %s with its version', (userAgent, program) => {
    expect(programOf(userAgent)).toEqual(program);
  });

  it.each([
    undefined,
    '',
    'node',
    'node/20.1',
    'node-fetch/3',
    'Mozilla/5.0 (X11) AppleWebKit/537.36',
    'python-httpx/0.28.1',
    'two words/1',
    `${'x'.repeat(201)}/1`,
    'a\u202E/1',
  ])('names no program for %j', (userAgent) => {
    expect(programOf(userAgent)).toBeNull();
  });
});
