import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readAnswer, writeAnswer } from './node-answer.ts';

test('what ask-node found is read as it was written, and that it failed is an error with the way out', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-answer-'));
  const file = join(directory, 'answer.json');
  try {
    await assert.rejects(readAnswer(file), /ENOENT/);
    const found = { capabilities: '<capabilities/>', domainCapabilities: '<domainCapabilities/>' };
    writeAnswer(file, found);
    assert.deepEqual(await readAnswer(file), found);
    writeAnswer(file, { failure: 'libvirtd ended while it was starting' });
    await assert.rejects(readAnswer(file), /libvirtd ended .* when this Pod of virt-handler is deleted/);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
