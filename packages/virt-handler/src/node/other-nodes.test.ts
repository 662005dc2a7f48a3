import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OtherNodes } from './other-nodes.ts';

function nodes(...answers: readonly (readonly string[] | Error)[]) {
  let asked = 0;
  const list = async (): Promise<unknown> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer instanceof Error || answer === undefined) throw answer;
    return { items: answer.map((name) => ({ metadata: { name } })) };
  };
  const others = new OtherNodes({ list: list as never }, 'kubevirt', 'n1');
  return { exist: () => others.exist(new AbortController().signal), asked: () => asked };
}

test('only Leases of other virt-handlers count; once there is one, that is not asked again', async () => {
  const { exist, asked } = nodes(
    ['virt-controller', 'virt-handler-n1'],
    ['virt-handler-n1', 'virt-handler-n2'],
  );
  assert.equal(await exist(), false);
  assert.equal(await exist(), true);
  assert.equal(await exist(), true);
  assert.equal(asked(), 2);
});

test('who cannot be asked may have others; so may one with more Leases than were read', async () => {
  assert.equal(await nodes(new Error('away')).exist(), true);
  assert.equal(await nodes(Array.from({ length: 50 }, (_, i) => `lease-${i}`)).exist(), true);
});
