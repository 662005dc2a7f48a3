/**
 * Text as the keys that a guest must see for it. A guest is told places of keys, and makes letters of them by its own
 * layout: so whoever types text for it must know that layout. Pure.
 */

/** One key with what is held meanwhile. `code` is the browser's name of its place (UI Events). */
export interface Stroke {
  readonly code: string;
  readonly isShifted: boolean;
  readonly isAltGr: boolean;
}

/** Rows of keys from the top, each letter at its place; a space: no letter there that can be typed by one key. */
interface Layout {
  readonly plain: readonly [string, string, string, string];
  readonly shifted: readonly [string, string, string, string];
  /** Place → letter with AltGr. */
  readonly altGr: Readonly<Record<string, string>>;
  /** Letters that wait for the next key: alone they need a space behind them. */
  readonly dead: string;
}

const PLACES: readonly (readonly string[])[] = [
  ['Backquote', ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => `Digit${digit}`), 'Minus', 'Equal'],
  [...keys('QWERTYUIOP'), 'BracketLeft', 'BracketRight', 'Backslash'],
  [...keys('ASDFGHJKL'), 'Semicolon', 'Quote'],
  ['IntlBackslash', ...keys('ZXCVBNM'), 'Comma', 'Period', 'Slash'],
];

function keys(letters: string): readonly string[] {
  return [...letters].map((letter) => `Key${letter}`);
}

/** By xkeyboard-config's names, and as it has them (XKB data, symbols/us, gb, de, fr, es, se). */
export const LAYOUTS = {
  us: {
    plain: ['`1234567890-=', 'qwertyuiop[]\\', "asdfghjkl;'", ' zxcvbnm,./'],
    shifted: ['~!@#$%^&*()_+', 'QWERTYUIOP{}|', 'ASDFGHJKL:"', ' ZXCVBNM<>?'],
    altGr: {},
    dead: '',
  },
  gb: {
    plain: ['`1234567890-=', 'qwertyuiop[]#', "asdfghjkl;'", '\\zxcvbnm,./'],
    shifted: ['¬!"£$%^&*()_+', 'QWERTYUIOP{}~', 'ASDFGHJKL:@', '|ZXCVBNM<>?'],
    altGr: { Digit4: '€' },
    dead: '',
  },
  de: {
    plain: ['^1234567890ß´', 'qwertzuiopü+#', 'asdfghjklöä', '<yxcvbnm,.-'],
    shifted: ['°!"§$%&/()=?`', "QWERTZUIOPÜ*'", 'ASDFGHJKLÖÄ', '>YXCVBNM;:_'],
    altGr: {
      ...{ Digit2: '²', Digit3: '³', Digit7: '{', Digit8: '[', Digit9: ']', Digit0: '}', Minus: '\\' },
      ...{ KeyQ: '@', KeyE: '€', BracketRight: '~', IntlBackslash: '|', KeyM: 'µ' },
    },
    dead: '^´`',
  },
  fr: {
    plain: ['²&é"\'(-è_çà)=', 'azertyuiop^$*', 'qsdfghjklmù', '<wxcvbn,;:!'],
    shifted: [' 1234567890°+', 'AZERTYUIOP¨£µ', 'QSDFGHJKLM%', '>WXCVBN?./§'],
    altGr: {
      ...{ Digit2: '~', Digit3: '#', Digit4: '{', Digit5: '[', Digit6: '|', Digit7: '`', Digit8: '\\' },
      ...{ Digit9: '^', Digit0: '@', Minus: ']', Equal: '}', KeyE: '€' },
    },
    dead: '^¨',
  },
  es: {
    plain: ["º1234567890'¡", 'qwertyuiop`+ç', 'asdfghjklñ´', '<zxcvbnm,.-'],
    shifted: ['ª!"·$%&/()=?¿', 'QWERTYUIOP^*Ç', 'ASDFGHJKLÑ¨', '>ZXCVBNM;:_'],
    altGr: {
      ...{ Backquote: '\\', Digit1: '|', Digit2: '@', Digit3: '#', Digit4: '~', Digit6: '¬', KeyE: '€' },
      ...{ BracketLeft: '[', BracketRight: ']', Quote: '{', Backslash: '}' },
    },
    dead: '`^´¨',
  },
  se: {
    plain: ['§1234567890+´', "qwertyuiopå¨'", 'asdfghjklöä', '<zxcvbnm,.-'],
    shifted: ['½!"#¤%&/()=?`', 'QWERTYUIOPÅ^*', 'ASDFGHJKLÖÄ', '>ZXCVBNM;:_'],
    altGr: {
      ...{ Digit2: '@', Digit3: '£', Digit4: '$', Digit7: '{', Digit8: '[', Digit9: ']', Digit0: '}' },
      ...{ Minus: '\\', KeyE: '€', BracketRight: '~', IntlBackslash: '|' },
    },
    dead: '´`¨^~',
  },
} as const satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof LAYOUTS;

/** Combining marks of Unicode → the letter on a dead key. */
const MARKS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0308': '¨',
};
const SPACE = stroke('Space');
const FIXED: Readonly<Record<string, Stroke>> = { ' ': SPACE, '\n': stroke('Enter'), '\t': stroke('Tab') };

function stroke(code: string, isShifted = false, isAltGr = false): Stroke {
  return { code, isShifted, isAltGr };
}

/** The keys of `text` in order, or the letters of it that this layout has not. */
export function strokesOf(
  text: string,
  name: LayoutName,
): { readonly strokes: readonly Stroke[]; readonly missing: readonly string[] } {
  const layout: Layout = LAYOUTS[name];
  const places = placesOf(layout);
  const missing = new Set<string>();
  const strokes = [...text.normalize('NFC')].flatMap((letter) => {
    const found = letterStrokes(letter, layout, places);
    if (found === undefined) missing.add(letter);
    return found ?? [];
  });
  return { strokes, missing: [...missing] };
}

function letterStrokes(
  letter: string,
  { dead, altGr }: Layout,
  places: ReadonlyMap<string, Stroke>,
): readonly Stroke[] | undefined {
  const own = FIXED[letter] ?? places.get(letter);
  if (own !== undefined && !dead.includes(letter)) return [own];
  if (own !== undefined) {
    // Another key may have it that waits for nothing.
    const [live] = Object.entries(altGr).find(([code, other]) => other === letter && code !== own.code) ?? [];
    return live === undefined ? [own, SPACE] : [stroke(live, false, true)];
  }
  // An accent that has a key of its own, before the letter that it stands on.
  const [base = '', mark = '', ...more] = letter.normalize('NFD');
  const accent = MARKS[mark] ?? '';
  const [first, second] = [places.get(accent), places.get(base)];
  const isThere = more.length === 0 && first !== undefined && second !== undefined && dead.includes(accent);
  return isThere ? [first, second] : undefined;
}

/** A letter that is there twice is typed the easier way. */
function placesOf({ plain, shifted, altGr }: Layout): ReadonlyMap<string, Stroke> {
  const places = new Map<string, Stroke>(
    Object.entries(altGr).map(([code, letter]) => [letter, stroke(code, false, true)]),
  );
  for (const [rows, isShifted] of [[shifted, true] as const, [plain, false] as const])
    PLACES.forEach((row, i) =>
      row.forEach((code, j) => {
        const letter = [...(rows[i] ?? '')][j] ?? ' ';
        if (letter !== ' ') places.set(letter, stroke(code, isShifted));
      }),
    );
  return places;
}
