import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typicalVmis } from '../testing/typical-vmis.ts';
import { convertOf, plainContext } from '../testing/vmi.ts';
import { convertVmiToDomain } from './convert.ts';
import { domainToXml } from './xml.ts';

/** The promise of SPECIFICATION.md. The median, so that a busy machine does not decide. */
const LIMIT_MS = 2;

test('a typical VMI is converted within 2 ms', () => {
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    for (const { vmi, context } of typicalVmis) {
      const start = performance.now();
      domainToXml(convertVmiToDomain(vmi, { ...plainContext, ...context }));
      times.push(performance.now() - start);
    }
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;
  assert.ok(median < LIMIT_MS, `median ${median} ms`);
});

test('the same VMI always gives the same domain, and is left as it was', () => {
  for (const { vmi, context } of typicalVmis) {
    const before = structuredClone(vmi);
    const facts = { ...plainContext, ...context };
    assert.equal(
      domainToXml(convertVmiToDomain(vmi, facts)),
      domainToXml(convertVmiToDomain(structuredClone(vmi), facts)),
    );
    assert.deepEqual(vmi, before);
  }
});

test('a reboot restarts the guest or ends it, as the VMI says', () => {
  assert.equal(convertOf().onReboot, undefined);
  assert.equal(convertOf({ rebootPolicy: 'Reboot' }).onReboot, 'restart');
  assert.equal(convertOf({ rebootPolicy: 'Terminate' }).onReboot, 'destroy');
});
