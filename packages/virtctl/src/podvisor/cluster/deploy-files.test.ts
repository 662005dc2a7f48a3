import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAll } from 'js-yaml';
import { deployFiles } from './deploy-files.ts';

/** Longest annotations of an object; `kubectl apply` keeps what it applied in one. */
const ANNOTATIONS_BYTES = 256 * 1024;

test('plain `kubectl apply` takes every object: what it remembers fits into an annotation', () => {
  for (const file of ['operator.yaml', 'kubevirt.yaml'])
    for (const object of loadAll(deployFiles().get(file) ?? '')) {
      const text = JSON.stringify(object);
      assert.ok(text.length < 0.9 * ANNOTATIONS_BYTES, `${text.slice(0, 120)}: ${text.length} bytes`);
    }
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

test('kustomize puts the registry and tag of kustomization.yaml into every image', {
  skip: hasKubectl ? false : 'kubectl is not there',
}, () => {
  const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
  try {
    for (const [name, text] of deployFiles()) {
      const ours = text
        .replace(/^ +newName: .*$/m, '    newName: registry.example:5000/team/virt-operator')
        .replace(/^ +newTag: .*$/m, '    newTag: v9');
      writeFileSync(join(directory, name), name === 'kustomization.yaml' ? ours : text);
    }
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', directory], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const images = [...stdout.matchAll(/^ +(?:- )?image: (.*)$/gm)].map(([, image]) => image);
    assert.deepEqual(images, ['registry.example:5000/team/virt-operator:v9']);
    assert.equal(loadAll(stdout).length, loadAll(deployFiles().get('operator.yaml') ?? '').length + 1);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
