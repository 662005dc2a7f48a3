/** The three kinds of patch that change a stored object. */
import { StatusError } from '@podvisor/base';
import { jsonPatch } from '../../../packages/apiserver/src/patch/json-patch.ts';
import { mergePatch, parseMergePatch } from '../../../packages/apiserver/src/patch/merge-patch.ts';
import { strategicMerge } from '../../../packages/apiserver/src/patch/strategic-merge.ts';
import { library } from '../../../packages/apiserver/src/registry/library.ts';
import { cloneJson, type JsonObject } from '../../../packages/apiserver/src/wire/json.ts';
import { isTooDeep } from '../../../packages/apiserver/src/wire/nesting.ts';
import { ReasonlessError } from '../../../packages/apiserver/src/wire/status.ts';
import type { Random } from '../frame/random.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { jsonText, pointer } from './json-grammar.ts';

/** More than the largest body grows to. */
const MAX_RESULT_CHARACTERS = 64 * 1024 * 1024;

const object: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { a: 'b' }, finalizers: ['x', 'y'] },
  spec: {
    containers: [
      {
        name: 'one',
        image: 'i',
        env: [{ name: 'A', value: '1' }],
        ports: [{ containerPort: 80, protocol: 'TCP' }],
      },
      { name: 'two', image: 'j' },
    ],
    tolerations: [{ key: 'k' }],
  },
  data: { hasOwnProperty: 'h', list: ['p', 'q'] },
};
const untouched = JSON.stringify(object);

const words = [
  '{"op":"add","path":"/a","value":1}',
  '"op":"remove"',
  '"op":"replace"',
  '"op":"move"',
  '"op":"copy"',
  '"op":"test"',
  '"from":"/data"',
  '"path":"/data/list/-"',
  '/__proto__',
  '/constructor',
  '/prototype',
  '/hasOwnProperty/call',
  '~0',
  '~1',
  '"$patch":"replace"',
  '"$patch":"delete"',
  '"$retainKeys":["a"]',
  '"$setElementOrder/containers":[{"name":"two"}]',
  '"$deleteFromPrimitiveList/finalizers":["x"]',
  '{',
  '}',
  '[',
  ']',
  ',',
  'null',
];

function operation(random: Random): string {
  const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'copy', 'bad']);
  return `{"op":"${op}","path":${JSON.stringify(pointer(random))},"from":${JSON.stringify(pointer(random))},"value":${jsonText(random)}}`;
}

const refuses = (error: unknown): boolean => error instanceof StatusError || error instanceof ReasonlessError;

/** The object that patches are given is never changed, and what comes of it is a document that can be written. */
function check(patched: unknown): void {
  expect(JSON.stringify(object) === untouched, 'the object that was patched is as it was');
  expect((JSON.stringify(patched) ?? '').length < MAX_RESULT_CHARACTERS, 'what a patch makes has a limit');
}

export const jsonPatches: FuzzTarget = {
  seeds: [
    '[{"op":"add","path":"/metadata/labels/c","value":"d"},{"op":"test","path":"/spec/containers/0/name","value":"one"}]',
    '[{"op":"copy","from":"/data","path":"/data/more"},{"op":"move","from":"/data/list/0","path":"/data/list/-"},{"op":"remove","path":"/kind"}]',
    '[{"op":"replace","path":"/spec/containers/-1","value":{"name":"x"}}]',
  ].map(bytes),
  words,
  generate: (random) =>
    bytes(`[${Array.from({ length: 1 + random.below(12) }, () => operation(random)).join(',')}]`),
  refuses,
  feed: (input) => {
    const body = text(input);
    if (!isTooDeep(body)) check(jsonPatch(body)(cloneJson(object)));
  },
};

export const mergePatches: FuzzTarget = {
  seeds: [
    '{"metadata":{"labels":{"a":null,"n":"m"}},"spec":{"containers":[]}}',
    '{"data":{"x":{"y":{"z":1}}}}',
  ].map(bytes),
  words,
  generate: (random) =>
    bytes(`{"metadata":${jsonText(random)},"data":${jsonText(random)},"x":${jsonText(random)}}`),
  refuses,
  feed: (input) => {
    const body = text(input);
    if (!isTooDeep(body)) check(mergePatch(object, parseMergePatch(body, 'application/merge-patch+json')));
  },
};

const container = (random: Random): string =>
  `{"name":"${random.pick(['one', 'two', 'three', '__proto__'])}","env":[{"name":"A","value":"2"}],"x":${jsonText(random)}${random.once(4) ? ',"$patch":"delete"' : ''}}`;

export const strategicPatches: FuzzTarget = {
  seeds: [
    '{"spec":{"containers":[{"name":"one","image":"k"},{"name":"two","$patch":"delete"}],"$setElementOrder/containers":[{"name":"two"},{"name":"one"}]}}',
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"],"finalizers":["z"]},"spec":{"$retainKeys":["containers"],"containers":[{"$patch":"replace"}]}}',
  ].map(bytes),
  words,
  generate: (random) =>
    bytes(
      `{"spec":{"containers":[${container(random)},${container(random)}],"$setElementOrder/containers":${jsonText(random)}},"metadata":${jsonText(random)}}`,
    ),
  refuses,
  feed: (input) => {
    const body = text(input);
    if (isTooDeep(body)) return;
    const patch = parseMergePatch(body, 'application/strategic-merge-patch+json');
    check(strategicMerge(library.struct('Pod'), object, patch));
  },
};
