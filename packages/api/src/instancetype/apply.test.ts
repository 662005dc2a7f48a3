import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandVmiSpec } from './apply.ts';

test('what is expanded is left alone', () => {
  const spec = { domain: { devices: {} } };
  const metadata = { annotations: { own: 'kept' } };
  const expansion = {
    instancetype: { cpu: { guest: 2 }, memory: { guest: '1Gi' }, annotations: { given: 'yes' } },
    preference: { annotations: { preferred: 'yes' } },
  };
  const before = structuredClone({ spec, metadata, expansion });
  assert.equal(expandVmiSpec(spec, metadata, expansion).kind, 'expanded');
  assert.deepEqual({ spec, metadata, expansion }, before);
});

test('of the conflicts of memory, the first is told', () => {
  const spec = {
    domain: { devices: {}, memory: { guest: '1Gi' }, resources: { requests: { memory: '1Gi' } } },
  };
  const instancetype = { cpu: { guest: 1 }, memory: { guest: '1Gi' } };
  assert.deepEqual(expandVmiSpec(spec, {}, { instancetype }), {
    kind: 'conflict',
    paths: ['spec.template.spec.domain.memory.guest'],
  });
});

test('overcommitted memory is counted in single precision', () => {
  const requested = (guest: string, overcommitPercent: number): unknown => {
    const instancetype = { cpu: { guest: 1 }, memory: { guest, overcommitPercent } };
    const result = expandVmiSpec({ domain: { devices: {} } }, {}, { instancetype });
    return result.kind === 'expanded' ? result.spec.domain.resources?.requests?.memory : result.paths;
  };
  assert.equal(requested('512M', 15), '435200k');
  // 96 636 764.16 exactly; a single holds multiples of 8 there.
  assert.equal(requested('128Mi', 28), '96636768');
});
