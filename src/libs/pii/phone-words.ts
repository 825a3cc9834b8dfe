/** Words that mark a following number as a telephone number, in the languages most notes are written in. */
const PHONE_WORDS = [
  'phone(?:s|number)?|tele(?:phone|fon|f[oó]n|foon)(?:e|o|s|as|nummer|number)?|t[ée]l[ée]phone|t[ée]l|tel[ée]f?|tlf|tfn|fon|ph',
  'mobil(?:e|es|nummer|number|telefon)?|mobiel|m[óo]vil|m[óo]viles|portable|natel|gsm|handy(?:nummer|s)?|cep',
  'cell(?:s|ular|ulare|phone)?|cel|celular|kom(?:[óo]rk\\p{L}*)?|puh(?:elin)?|mob|fax',
  'whatsapp|signal|telegram|viber|wechat|sms|text|hotline|landline|festnetz|fixe|durchwahl|extension',
  'call(?:ed|ing|s)?|ring|dial|ligue|llam[ae](?:r|me)?|appele[rz]|appelle|chiam[ai]|bel|anrufen|ruf(?:nummer)?',
  '(?:my|his|her|our|their|mein[e]?|mon|mi|meu) (?:new |old )?(?:number|nummer|num[ée]ro|n[úu]mero)',
  'тел(?:ефон\\p{L}*)?|моб(?:ильный|\\.)?|звоните|факс',
].join('|');
const PHONE_WORDS_UNSPACED = '電話|电话|手机|手機|携帯|携帯電話|전화|휴대폰|連絡先';

/** Text that may lie between such a word and the number: punctuation, and a few small words. */
const FILLERS = [
  'number|nummer|num[ée]ro|n[úu]mero|num|no|nr|n°|номер|is|was|are|ist|est|es|é|è|me|us|him|her|them|mich|uns',
  'at|on|via|to|under|unter|auf|an|au|le|la|el|al|o|ao|på|op|to|and|or|und|oder|et|y|e|for|this|new|old|home|work',
  'office|private|privat|local|mobile|cell|phone|tel|main|alt|please|now|c',
].join('|');

/** Matches text that ends where a number named as one to call begins. Bounded in every part. */
export const NAMED_AS_PHONE = new RegExp(
  `(?:(?<![\\p{L}\\d])(?:${PHONE_WORDS})(?![\\p{L}\\d])|(?:${PHONE_WORDS_UNSPACED})(?:番号|号码|號碼|号|號)?)` +
    `[^\\p{L}\\d\\n]{0,5}(?:[はがを]|(?:${FILLERS})(?![\\p{L}\\d])[^\\p{L}\\d\\n]{0,4}){0,3}$`,
  'iu',
);
