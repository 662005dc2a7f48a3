import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seLinuxContextOf } from './selinux-context.ts';

const PLAIN = 'nodev\tsysfs\nnodev\tcgroup2\n\text4\n';
const WITH = `${PLAIN}nodev\tselinuxfs\n`;
const CONTEXT = 'system_u:system_r:container_t:s0:c12,c345';

const cases: readonly [
  name: string,
  filesystems: string,
  current: string | undefined,
  is: string | undefined,
][] = [
  ['a node with SELinux', WITH, `${CONTEXT}\0`, CONTEXT],
  ['a level without categories', WITH, 'system_u:system_r:spc_t:s0\n', 'system_u:system_r:spc_t:s0'],
  [
    'a node without SELinux, where AppArmor says the same in that file',
    PLAIN,
    'podvisor-launcher (enforce)\n',
    'none',
  ],
  ['a kernel without a policy', WITH, 'kernel\0', 'none'],
  ['a process that has ended', WITH, undefined, undefined],
  ['something that is no context', WITH, 'a:b\0', undefined],
];

for (const [name, filesystems, current, expected] of cases)
  test(`SELinux context of a process: ${name}`, () => {
    const proc = mkdtempSync(join(tmpdir(), 'selinux-'));
    try {
      writeFileSync(join(proc, 'filesystems'), filesystems);
      mkdirSync(join(proc, '7/attr'), { recursive: true });
      if (current !== undefined) writeFileSync(join(proc, '7/attr/current'), current);
      assert.equal(seLinuxContextOf(7, proc), expected);
    } finally {
      rmSync(proc, { recursive: true });
    }
  });
