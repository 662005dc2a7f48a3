/** Manifests of images from a registry, and names of images. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutError, readLayout } from '../../../packages/kubelet/src/images/oci-layout.ts';
import { formatReference, parseReference } from '../../../packages/kubelet/src/images/reference.ts';
import { ImageError } from '../../../packages/kubelet/src/images/types.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { scratchDirectory } from './scratch.ts';
import { jsonText } from './json-grammar.ts';

const directory = scratchDirectory('oci');
mkdirSync(join(directory, 'blobs/sha256'), { recursive: true });
const DIGESTS = ['aa', 'bb', 'cc'].map((two) => two.repeat(32));
const [index = '', manifest = '', config = ''] = DIGESTS;
const descriptor = (digest: string): string => `{"mediaType":"m","digest":"sha256:${digest}","size":1}`;

/** One input is three documents, cut at its record separators: index, manifest, configuration. */
const SEPARATOR = '\x1e';

export const layout: FuzzTarget = {
  seeds: [
    [
      `{"manifests":[{"digest":"sha256:${index}","platform":{"architecture":"amd64","os":"linux"}}]}`,
      `{"config":${descriptor(manifest)},"layers":[${descriptor(config)}]}`,
      '{"config":{"Env":["A=b"],"Entrypoint":["/x"],"Cmd":null,"WorkingDir":"/w","User":"1:2"}}',
    ].join(SEPARATOR),
  ].map(bytes),
  words: [
    SEPARATOR,
    descriptor(index),
    descriptor(manifest),
    '"manifests":[',
    '"config":',
    '"layers":',
    '"digest":"../../etc/passwd"',
    '{',
    '}',
    '[',
    ']',
    'null',
    '"sha256:"',
    '"Env":',
  ],
  generate: (random) =>
    bytes(
      [
        `{"config":${descriptor(index)},"layers":${random.once(2) ? '[{}]' : jsonText(random)}}`,
        `{"config":${jsonText(random)}}`,
        jsonText(random),
      ].join(SEPARATOR),
    ),
  refuses: (error) => error instanceof LayoutError,
  feed: (input) => {
    const parts = text(input).split(SEPARATOR);
    writeFileSync(join(directory, 'index.json'), parts[0] ?? '');
    for (const [i, digest] of DIGESTS.entries())
      writeFileSync(join(directory, 'blobs/sha256', digest), parts[i + 1] ?? '{}');
    const image = readLayout(directory);
    expect(
      image.layers.every((layer) => typeof layer === 'string' && !layer.includes('/')),
      'the name of a layer is never a path',
    );
    for (const list of [image.config.env, image.config.entrypoint, image.config.command])
      expect(
        Array.isArray(list) && list.every((item) => typeof item === 'string'),
        'words of a command are texts',
      );
    expect(
      typeof image.config.workingDir === 'string' && typeof image.config.user === 'string',
      'so are directory and user',
    );
  },
};

export const reference: FuzzTarget = {
  seeds: [
    'nginx',
    'docker.io/library/nginx:1.2',
    `localhost:5000/a/b@sha256:${'a'.repeat(64)}`,
    'ghcr.io/x/y_z-1:tag.2',
  ].map(bytes),
  words: ['/', ':', '@', '.', '-', '_', '__', 'localhost', 'sha256:', '..', '//', '%2f', ' '],
  refuses: (error) => error instanceof ImageError,
  feed: (input) => {
    const name = formatReference(parseReference(text(input)));
    expect(formatReference(parseReference(name)) === name, 'a full name is its own full name');
  },
};
