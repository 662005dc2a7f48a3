import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { READY, RUNNING, upSteps } from './up-steps.ts';

const LINES = [
  'Podvisor: 2 cores, 24 GiB memory, software emulation',
  '[1/4] control-plane: API server answers',
  '[2/4] virt-api: admission and subresources answer',
  '[3/4] virt-controller: leads',
  '[4/4] virt-handler on node-1: node is ready and takes VMs',
  'applied VirtualMachine default/hello from examples/hello.yaml',
  '[11/11] virt-launcher → virt-handler: VMI Running  +1.52 s',
  'hello is Running on node-1, address 10.244.0.2',
  'hello: its guest agent answers',
  'READY after 14.2 s. Next: …',
].map((text, i) => ({ text, atMs: i * 1000 }));

test('each step ends with its line', () => {
  const steps = upSteps(LINES);
  assert.deepEqual([...steps.values()], [0, 1000, 2000, 3000, 4000, 5000, 7000, 9000]);
  assert.equal(steps.get(RUNNING), 7000);
  assert.equal(steps.get(READY), 9000);
});

test('an up that was not ready is no figure', () => {
  assert.throws(() => upSteps(LINES.slice(0, -1)), /has not told "its guest is up: READY"/);
});

test('the steps are those of the recorded picture of a first run', () => {
  const picture = readFileSync(join(import.meta.dirname, '../docs/first-run.svg'), 'utf8');
  const words = ['control-plane: ', 'virt-controller: ', 'virt-handler on ', 'is Running on', 'READY after'];
  for (const word of words) assert.ok(picture.includes(word), word);
});
