import { attachmentNamed, rangeAsked } from './file-headers.js';

describe('rangeAsked', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=0-1,4-5', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['lines=0-1', null],
    [undefined, null],
  ])('%s of ten bytes', (header, expected) => expect(rangeAsked(header, 10)).toEqual(expected));

  it('a Range header of nothing cannot be satisfied', () => {
    expect(rangeAsked('bytes=0-', 0)).toBe('unsatisfiable');
    expect(rangeAsked('bytes=-5', 0)).toBe('unsatisfiable');
  });
});

describe('attachmentNamed', () => {
  it.each([
    ['letter.txt', 'attachment; filename="letter.txt"'],
    ['a b.txt', 'attachment; filename="a b.txt"'],
    ['../../etc/passwd', 'attachment; filename="passwd"'],
    ['C:\\Windows\\x.ini', 'attachment; filename="x.ini"'],
    ['..', 'attachment; filename=".."'],
    ['folder/', 'attachment'],
    [null, 'attachment'],
    ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['a\r\nSet-Cookie: x=1', 'attachment; filename="a__Set-Cookie: x=1"'],
    ['photo\u202egpj.exe', 'attachment; filename="photo_gpj.exe"'],
    ['\u2066übung\u2069.txt', `attachment; filename="__bung_.txt"; filename*=UTF-8''_%C3%BCbung_.txt`],
    ['a\u200b\u3164\ud800.txt', 'attachment; filename="a___.txt"'],
    ['❤️.png', `attachment; filename="__.png"; filename*=UTF-8''%E2%9D%A4%EF%B8%8F.png`],
    ['übung.txt', `attachment; filename="_bung.txt"; filename*=UTF-8''%C3%BCbung.txt`],
    ['🙂.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%99%82.png`],
  ])('the name to save by of %j', (name, header) => expect(attachmentNamed(name)).toBe(header));
});
