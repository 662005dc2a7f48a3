import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetDefinition } from './target-definition.ts';

const xml = (directory: string): string =>
  `<domain><qemu:commandline><qemu:arg value='socket,id=numbers,path=${directory}/qemu-sock,server=on'/></qemu:commandline></domain>`;

test("QEMU's own socket is where the target's launcher has its sockets", () => {
  const to = (there: string): string | undefined =>
    targetDefinition(xml('/run/a'), [], [], { here: '/run/a', there });
  assert.equal(to('/run/$&'), xml('/run/$&'));
  assert.equal(to('/run/a'), undefined);
});
