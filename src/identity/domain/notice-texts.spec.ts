import { noticeLetter } from './notice-texts.js';

const setting = {
  at: new Date('2026-01-02T03:04:05.678Z'),
  service: 'https://graph.example',
  isVerified: true,
};

describe('the text of a notice', () => {
  it('says what happened, when and where, and what to do if it was somebody else', () => {
    const { subject, text } = noticeLetter({ kind: 'app', appName: 'Note reader' }, setting);
    expect(subject).toBe('An app was authorized to use your account');
    expect(text).toContain('use your account:\nNote reader\n');
    expect(text).toContain('When: 2026-01-02 03:04 UTC\nWhere: https://graph.example\n');
    expect(text).toContain('If it was not you, revoke its authorization');
  });

  it.each([
    ['https://evil.example/?a=b', 'https···evil·example··a·b'],
    ['evil。example', 'evil·example'],
    ['pay@evil.example', 'pay·evil·example'],
    ['first\r\n\r\nsecond', 'first····second'],
    ['\u202eabc\u0000\u200b', '·abc··'],
    ['<b>bold</b> [x](y)', '·b·bold··b· ·x·(y)'],
    ['x'.repeat(500), 'x'.repeat(80)],
    ['Ünïcode’s Notes & Tags (2), 日本語 🦊', 'Ünïcode’s Notes & Tags (2), 日本語 🦊'],
  ])('makes no link, line or markup of the name of an app: %j', (appName, shown) => {
    const { text } = noticeLetter({ kind: 'app', appName }, setting);
    expect(text).toContain(`use your account:\n${shown}\n\n`);
  });

  it('leaves names and networks out while the address is not verified', () => {
    const unverified = { ...setting, isVerified: false };
    const app = noticeLetter({ kind: 'app', appName: 'Note reader' }, unverified).text;
    const logIn = noticeLetter({ kind: 'log-in', detail: '203.0.113.0/24' }, unverified).text;
    expect(app).toContain('An app was authorized to use your account.\n');
    expect(app + logIn).not.toMatch(/Note reader|203/);
    expect(app).toContain('If you know of no such account');
  });
});
