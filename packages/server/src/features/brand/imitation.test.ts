import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imitates } from './imitation.js';

describe('name that strangers see', () => {
  it.each([
    'Latchkey',
    'LATCHKEY',
    ' latch key ',
    'L.a.t.c.h.k.e.y',
    'L A T C H K E Y',
    'Lаtchkey', // Cyrillic а
    'Ⅼatchkey', // Roman numeral fifty
    'Ｌａｔｃｈｋｅｙ', // full-width
    'Látchkéy',
    'Łåŧçħķęý',
    'Latchk\u200bey', // zero-width space
    'Latch\u2060key', // word joiner
    'Latch\u00adkey', // soft hyphen
    'Latch\u3164key', // Hangul filler, an invisible letter
    'Latch\u2800key', // Braille blank, an invisible symbol
    'Latch\u00a0key',
    '\u202eyekhctal', // forced direction
    'L\u0336a\u0336t\u0336c\u0336h\u0336k\u0336e\u0336y\u0336', // struck through
    'L\u0483atchkey', // a mark from another script
    'Iatchkey', // capital i
    '1atchkey',
    'L4tchk3y',
    'L@tchkey',
    'L!atchkey',
    'Lat(hkey',
    'lat¢hkey',
    'la†chkey',
    'Latchlcey', // lc for k
    'Laatchkeyy',
    'Latchkey Support',
    'LatchkeySupport',
    'Latch Key Support',
    'Latch KeySupport',
    'Latch-keysupport',
    'Latch🔑key',
    'Latchkey account verification',
    'Latchkey’s',
    'The official Latchkey',
    'Lаtсhkеу Ассоunts', // several Cyrillic letters
    'L\u0251tchkey', // Latin alpha
    '\uA4E1\uA4EE\uA4D4\uA4DA\uA4E7\uA4D7\uA4F0\uA4EC', // Lisu
    'ᏞᎪᎢᏟᎻᏦᎬᎽ', // Cherokee
    'ʟᴀᴛᴄʜᴋᴇʏ', // small capitals
    'ᴸᵃᵗᶜʰᵏᵉʸ', // superscripts
    'ⓛⓐⓣⓒⓗⓚⓔⓨ',
    '🅻🅰🆃🅲🅷🅺🅴🆈', // squared
    '🇱🇦🇹🇨🇭🇰🇪🇾', // regional indicators, which make flags
    '𝐋𝐚tchkey', // mathematical
    'Latch\u0199ey', // k with hook
    'La\u01ABchkey', // t with palatal hook
    'Latc\u0570key', // Armenian
    'L\u2C81tchkey', // Coptic
    'Latch\u04a1ey', // Bashkir ka
    'lαtchkεψ', // Greek
    'ʎǝʞɥɔʇɐꞁ', // upside down
    'Latch🔑',
    'Latch🗝️ Support',
    'LΛTCHKΣY',
    'LДTCHKЄY', // Cyrillic capitals as drawings
    'L▲TCHK☰Y',
    'L△TCHK≡Y',
    'La✝☾hkey',
    'Lat⊂hk∈y',
    '∟atc#key',
    '乚atchke丫', // CJK
    'しatchkey',
    'レatchkモy',
    'L₳T₵HKEY',
    'Latch☾key', // a sign between
  ])('%j is taken for Latchkey', (name) => {
    expect(imitates(name, 'Latchkey')).toBe(true);
  });

  it('is taken for Latchkey with any of the look-alikes that Unicode lists', () => {
    const listed = lookAlikesOf('latchkey');
    expect(listed.length).toBeGreaterThan(300);
    const missed = listed.filter(({ name }) => !imitates(name, 'Latchkey'));
    expect(missed).toEqual([]);
  });

  it.each([
    'Ember & Oak',
    'Latch Café',
    'Latch Keyboards', // two words that only start like the service
    'Blatch Keys',
    'Matches',
    'Thatch Key',
    'Кофейня',
    '茶館',
    '',
    '🔑',
  ])('%j is not', (name) => {
    expect(imitates(name, 'Latchkey')).toBe(false);
  });

  it('may contain a short name of a service, but not equal it or add an office', () => {
    expect(imitates('Coffee Club', 'Club')).toBe(false);
    expect(imitates('CLUB', 'Club')).toBe(true);
    expect(imitates('Сlub', 'Club')).toBe(true);
    expect(imitates('Acme Support', 'Acme')).toBe(true);
    expect(imitates('Аcme: Verification', 'Acme')).toBe(true);
    expect(imitates('Support for acmes', 'Acme')).toBe(false);
  });

  it('is compared with a name in any script', () => {
    expect(imitates('КЛЮЧИК онлайн', 'Ключик')).toBe(true);
    expect(imitates('Ключи', 'Ключик')).toBe(false);
    expect(imitates('तालाघर सहायता', 'तालाघर')).toBe(true);
    expect(imitates('तालीघर सहायता', 'तालाघर')).toBe(false); // another vowel
    expect(imitates('鑰匙屋 客服', '鑰匙屋')).toBe(false); // a short name
    expect(imitates('鑰匙屋', '鑰匙屋')).toBe(true);
  });

  it('imitates no service whose name has no letters', () => {
    expect(imitates('Shop', '★')).toBe(false);
  });
});

/** Names of shops and what they sell, in 24 languages. */
const ORDINARY: Readonly<Record<string, readonly string[]>> = {
  Arabic: ['مقهى الصباح', 'دورة الخط العربي', 'نادي القراءة'],
  Bengali: ['সকালের চা', 'ছবি আঁকার ক্লাস'],
  Chinese: ['早安咖啡', '攝影入門課程', '读书会 2026'],
  Czech: ['Ranní káva', 'Kurz žonglování', 'Žluťoučký kůň'],
  Danish: ['Læsekredsen', 'Brødbagning for begyndere'],
  Dutch: ['De Leesclub', 'Cursus fotografie'],
  English: ['Ember & Oak', 'The Brew Guide', 'Key Lime Pie School', 'Hatch', 'Catch 22 Club', 'Lock & Key'],
  Finnish: ['Lukupiiri', 'Leivontakurssi äideille'],
  French: ['Café du Matin', 'L’atelier d’écriture', 'Clé de sol'],
  German: ['Kaffeeklatsch', 'Schlüssel & Söhne', 'Brotbackkurs für Anfänger'],
  Greek: ['Πρωινός καφές', 'Μαθήματα φωτογραφίας'],
  Hebrew: ['קפה של בוקר', 'חוג קריאה'],
  Hindi: ['सुबह की चाय', 'चित्रकला कक्षा'],
  Hungarian: ['Olvasókör', 'Kenyérsütő tanfolyam'],
  Indonesian: ['Kopi Pagi', 'Kelas Fotografi'],
  Italian: ['Caffè del Mattino', 'Corso di chitarra'],
  Japanese: ['朝のコーヒー', 'ラテアート教室'],
  Korean: ['아침 커피', '사진 수업'],
  Polish: ['Poranna kawa', 'Kurs łucznictwa', 'Żółta łódź'],
  Portuguese: ['Café da Manhã', 'Curso de violão'],
  Russian: ['Утренний кофе', 'Курс фотографии', 'Ключ на старт'],
  Spanish: ['Café de la Mañana', 'Llave maestra', 'Club de lectura'],
  Thai: ['กาแฟยามเช้า', 'คอร์สถ่ายภาพ'],
  Turkish: ['Sabah Kahvesi', 'Kılıç kursu'],
  Ukrainian: ['Ранкова кава', 'Курс фотографії'],
  Vietnamese: ['Cà phê sáng', 'Lớp nhiếp ảnh'],
};

describe('ordinary names', () => {
  const names = Object.values(ORDINARY).flat();

  it.each(['Latchkey', 'Acme', 'Club Pass', 'Tandem', 'Ko', 'Ключик'])('are not taken for %s', (service) => {
    expect(names.filter((name) => imitates(name, service))).toEqual([]);
  });

  it('are not taken for each other', () => {
    const taken = names.flatMap((name) =>
      names.filter((other) => other !== name && imitates(name, other)).map((other) => [name, other]),
    );
    expect(taken).toEqual([]);
  });
});

/** Returns the word with each of its letters replaced, one at a time, by each look-alike that the file lists for it. */
function lookAlikesOf(word: string) {
  const file = readFileSync(new URL('../../../assets/look-alikes.txt', import.meta.url), 'utf8');
  const [, same = ''] = file.split('[look-alikes]\n');
  return (same.split('[names]')[0] ?? '').split('\n').flatMap((line) => {
    const [target, codes] = line.split('\t');
    if (target === undefined || codes === undefined || target.includes(' ')) return [];
    const letter = String.fromCodePoint(Number.parseInt(target, 16)).toLowerCase();
    const at = word.indexOf(letter);
    if (at === -1) return [];
    return codes.split(' ').map((code) => ({
      code,
      name: `${word.slice(0, at)}${String.fromCodePoint(Number.parseInt(code, 16))}${word.slice(at + 1)}`,
    }));
  });
}
