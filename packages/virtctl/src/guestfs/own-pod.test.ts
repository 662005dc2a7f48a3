import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOwnPod } from './own-pod.ts';

function recorded(problem?: string): { readonly steps: string[]; run(failure?: string): Promise<void> } {
  const steps: string[] = [];
  return {
    steps,
    run: (failure) =>
      withOwnPod(
        {
          create: async () => {
            steps.push('create');
            if (problem !== undefined) throw new Error(problem);
          },
          remove: async () => void steps.push('remove'),
        },
        async () => {
          steps.push('work');
          if (failure !== undefined) throw new Error(failure);
        },
      ),
  };
}

test('the Pod goes when the work is over, however it ended', async () => {
  const good = recorded();
  await good.run();
  assert.deepEqual(good.steps, ['create', 'work', 'remove']);
  const bad = recorded();
  await assert.rejects(bad.run('the shell was cut off'), /cut off/);
  assert.deepEqual(bad.steps, ['create', 'work', 'remove']);
});

test('a Pod that somebody else made meanwhile is not taken away under his hands', async () => {
  const { steps, run } = recorded('pods "libguestfs-tools-a" already exists');
  await assert.rejects(run(), /already exists/);
  assert.deepEqual(steps, ['create']);
});
