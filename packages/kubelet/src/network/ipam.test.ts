import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KubeletContext } from '../context.ts';
import { claimAddress, passOnAddresses } from './ipam.ts';

test('an address goes from Pod to Pod over nodes, and is freed by the last one', () => {
  const home = mkdtempSync(join(tmpdir(), 'ipam-'));
  try {
    const contextOf = (name: string): KubeletContext =>
      ({
        node: { name },
        config: { name: 'x', nodes: [{ name: 'node-1' }, { name: 'node-2' }] },
        paths: { containers: (node: string) => join(home, node, 'containers') },
      }) as unknown as KubeletContext;
    const held = join(home, 'node-1/ipam/podvisor-x');
    mkdirSync(held, { recursive: true });
    writeFileSync(join(held, '10.1.1.5'), 'first\r\neth0');
    writeFileSync(join(held, '10.1.1.6'), 'other\r\neth0');
    claimAddress(contextOf('node-2'), 'node-1', '10.1.1.5', 'second');
    passOnAddresses(contextOf('node-1'), 'first');
    assert.match(readFileSync(join(held, '10.1.1.5'), 'utf8'), /^second\s/);
    // Back home: claimed by a third Pod, on the node of the range.
    claimAddress(contextOf('node-1'), 'node-1', '10.1.1.5', 'third');
    passOnAddresses(contextOf('node-2'), 'second');
    assert.match(readFileSync(join(held, '10.1.1.5'), 'utf8'), /^third\s/);
    // And away again, where it ends.
    claimAddress(contextOf('node-2'), 'node-1', '10.1.1.5', 'fourth');
    passOnAddresses(contextOf('node-1'), 'third');
    passOnAddresses(contextOf('node-2'), 'fourth');
    assert.deepEqual(readdirSync(held), ['10.1.1.6']);
    assert.deepEqual(readdirSync(join(home, 'node-1/ipam/claims')), []);
  } finally {
    rmSync(home, { recursive: true });
  }
});
