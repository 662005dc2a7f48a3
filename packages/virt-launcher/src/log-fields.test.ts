/** Every line of a launcher has the namespace, the name and the UID of its VM; no line may say another. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const LOGGED = /\blog\??\.(?:debug|info|warn|error)(?:\?\.)?\(\s*(\{[^{}]*\})/g;
const OF_THE_VM = /[{,]\s*(?:namespace|name|uid)\s*[,:}]/;

function linesThatSayAnother(code: string): readonly string[] {
  return [...code.matchAll(LOGGED)]
    .map(([, fields = '']) => fields)
    .filter((fields) => OF_THE_VM.test(fields));
}

test('no line of a launcher has another name in the place of its VM’s', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  assert.ok(files.length > 100);
  const found = files.flatMap((file) =>
    linesThatSayAnother(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).map(
      (line) => `${file}: ${line}`,
    ),
  );
  assert.deepEqual(found, []);
});

test('such a line is found', () => {
  assert.equal(linesThatSayAnother("context.log.info({ change, name: change.name }, 'x')").length, 1);
  assert.equal(linesThatSayAnother("log.debug?.({ uid }, 'x')").length, 1);
  assert.equal(linesThatSayAnother("log.info({ interface: name, hostname: 1 }, 'x')").length, 0);
});
