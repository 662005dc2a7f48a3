/**
 * docs/first-hour.md, typed as it stands: the page is the source of this test. Each step is a test; what its `text`
 * blocks show must be printed. Two things differ from a reader's machine: the home is a test's own, with ports and a
 * network of its own, and files are written beside it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { layOut } from '../support/checkout.ts';
import { command, Instance, root } from '../support/instance.ts';
import { missingLine, stepsOf } from '../support/pages-of-docs/page.ts';
import { NOTHING, tracesOf } from '../support/traces.ts';

const steps = stepsOf(readFileSync(`${root}/docs/first-hour.md`, 'utf8'));

describe('the first hour', { concurrency: 1 }, () => {
  let instance: Instance;
  let name: string | undefined;
  const checkout = (): string => `${instance.home}-checkout`;
  /** The reader is nobody who was here before: no SSH keys, no known hosts, no kubeconfig. */
  const env = (): NodeJS.ProcessEnv => ({ ...instance.env, HOME: checkout() });

  before(async () => {
    instance = await Instance.prepare();
    layOut(checkout(), instance);
  });
  after(async () => {
    await instance?.purge();
    await command('rm', ['-rf', checkout()], process.env);
  });

  test('the page has its ten steps', () => {
    assert.equal(steps.length, 10);
  });

  for (const { title, script, prints } of steps)
    test(title, { timeout: 600_000 }, async () => {
      // What a step exports, the next ones have.
      const typed = `cd ${checkout()}; [ ! -e exported ] || . ./exported\n${script}\nexport -p > exported`;
      const shell = ['-eu', '-o', 'pipefail', '-c', typed];
      const { code, stdout, stderr } = await command('bash', shell, env(), 590_000);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      assert.equal(missingLine(prints, `${stdout}\n${stderr}`), undefined, `${stdout}\n${stderr}`);
      name ??= instance.name;
    });

  test('nothing of it stays on the machine', () => {
    assert.ok(name !== undefined);
    assert.deepEqual(tracesOf(instance.home, name), NOTHING);
  });
});
