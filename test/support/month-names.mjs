const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Locales whose month names differ from those of their language. */
const VARIANTS =
  'ar-DZ ar-IQ ar-JO ar-LB ar-MA ar-MR ar-SA ar-SY ar-TN az-Cyrl bs-Cyrl ca-ES de-AT en-AU en-CA en-GB es-ES es-MX es-US ff-Adlm fr-CA fr-CH hi-Latn it-CH kk-Arab kok-Latn ks-Deva mni-Mtei ms-Arab nl-BE pa-Arab pt-PT sat-Deva sd-Deva shi-Latn sr-Cyrl sr-Latn uz-Arab uz-Cyrl vai-Latn yue-Hans zh-Hant';

/** The name of a month may depend on what is beside it. */
const FORMATS = [
  ...['long', 'short'].flatMap((month) => [{ month }, { month, day: 'numeric' }]),
  { dateStyle: 'long' },
  { dateStyle: 'medium' },
];

/** Alphabets in which one or two letters are any word. */
const ALPHABET = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]{1,2}$/u;

const wordsOf = (text) =>
  text
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? [];

/** The languages of this Node's ICU; asking takes seconds. */
function languages() {
  const codes = [...LETTERS].flatMap((one) =>
    [...LETTERS].flatMap((two) => [one + two, ...[...LETTERS].map((three) => one + two + three)]),
  );
  return [...new Set(Intl.getCanonicalLocales(Intl.DateTimeFormat.supportedLocalesOf(codes)))];
}

/** The words for months in all languages, as they are in dates, in their order. */
export function monthNames() {
  const names = new Set([...languages(), ...VARIANTS.split(' ')].flatMap(namesIn));
  return [...names].filter((name) => !ALPHABET.test(name)).sort();
}

const DATES = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 15));

function namesIn(locale) {
  const formats = FORMATS.map(
    (format) => new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { ...format, timeZone: 'UTC' }),
  );
  const parts = formats.flatMap((format) => DATES.flatMap((date) => format.formatToParts(date)));
  const names = parts.filter(({ type }) => type === 'month').flatMap(({ value }) => wordsOf(value));
  const words = formats.flatMap((format) => DATES.flatMap((date) => wordsOf(format.format(date))));
  // A preposition or an ending may be one word with the name, as in Hebrew and Basque.
  const joined = words.filter((word) => names.some((name) => isJoined(word, name)));
  return [...names, ...joined];
}

const isJoined = (word, name) => name.length >= 3 && (word.startsWith(name) || word.endsWith(name));
