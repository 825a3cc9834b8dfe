import { type AppCaller, type UserCaller } from '../domain/caller.js';
import { keyOfCaller } from './caller.js';

describe('keyOfCaller', () => {
  const person = { kind: 'user', userId: 'alice' } as UserCaller;
  const app = { kind: 'app', app: { id: 'app', ownerId: 'developer' }, userId: 'alice' } as AppCaller;

  it('all apps of a developer count together for a user', () => {
    const other = { ...app, app: { ...app.app, id: 'other' } };
    expect(keyOfCaller(other)).toBe(keyOfCaller(app));
    expect(keyOfCaller({ ...app, userId: 'bob' })).not.toBe(keyOfCaller(app));
  });

  it('a person who reads as an app counts as the person (rule 2.11)', () => {
    expect(keyOfCaller({ ...app, readBy: person })).toBe(keyOfCaller(person));
    expect(keyOfCaller(app)).not.toBe(keyOfCaller(person));
  });
});
