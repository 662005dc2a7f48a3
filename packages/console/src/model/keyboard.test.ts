import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAYOUTS, type LayoutName, type Stroke, strokesOf } from './keyboard.ts';

const shown = ({ code, isShifted, isAltGr }: Stroke): string =>
  `${isShifted ? 'shift+' : ''}${isAltGr ? 'altgr+' : ''}${code}`;
const typed = (text: string, layout: LayoutName): string =>
  strokesOf(text, layout).strokes.map(shown).join(' ');

test('a letter is where the guest’s layout has it', () => {
  for (const [text, layout, strokes] of [
    ['zy@', 'us', 'KeyZ KeyY shift+Digit2'],
    ['zy@', 'de', 'KeyY KeyZ altgr+KeyQ'],
    ['"@#', 'gb', 'shift+Digit2 shift+Quote Backslash'],
    ['a1.', 'fr', 'KeyQ shift+Digit1 shift+Comma'],
    ['ñ/', 'es', 'Semicolon shift+Digit7'],
    ['å{', 'se', 'BracketLeft altgr+Digit7'],
    ['a b\n', 'us', 'KeyA Space KeyB Enter'],
  ] as const)
    assert.equal(typed(text, layout), strokes, `${layout}: ${text}`);
});

test('dead keys: alone with a space, before a letter its accent', () => {
  assert.equal(typed('^', 'de'), 'Backquote Space');
  assert.equal(typed('é', 'de'), 'Equal KeyE');
  assert.equal(typed('ï', 'fr'), 'shift+BracketLeft KeyI');
  assert.equal(typed('^', 'fr'), 'altgr+Digit9', 'the way that waits for nothing');
});

test('what a layout has not is told, and typed in no other way', () => {
  assert.deepEqual(strokesOf('aéé€', 'us').missing, ['é', '€']);
  assert.deepEqual(strokesOf('日本', 'de').missing, ['日', '本']);
});

test('every layout has the letters of a shell, each key at most once', () => {
  const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
  for (const layout of Object.keys(LAYOUTS) as LayoutName[]) {
    assert.deepEqual(strokesOf(ascii, layout).missing, [], layout);
    const all = [...ascii].map((letter) => typed(letter, layout));
    assert.equal(new Set(all).size, all.length, layout);
  }
});
