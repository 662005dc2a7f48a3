/** Domain → XML → Domain, and XML → Domain → XML: nothing that we describe is lost either way. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { typicalVmis } from '../testing/typical-vmis.ts';
import { plainContext } from '../testing/vmi.ts';
import { convertVmiToDomain } from './convert.ts';
import { domainFromXml, domainToXml } from './xml.ts';

const golden = new URL('../../../../test/golden/domain/', import.meta.url);

for (const file of readdirSync(golden)) {
  test(`${file} is the same after reading and writing`, () => {
    const xml = readFileSync(new URL(file, golden), 'utf8');
    assert.equal(domainToXml(domainFromXml(xml)), xml);
  });
}

for (const { name, vmi, context } of typicalVmis) {
  test(`the domain of ${name} is the same after writing and reading`, () => {
    const domain = convertVmiToDomain(vmi, { ...plainContext, ...context });
    assert.deepEqual(domainFromXml(domainToXml(domain)), withoutEmptyLists(domain));
  });
}

test('any text of the user survives, quotes and angle brackets too', () => {
  const text = fc.stringMatching(/^[ -~äß\n\t]{1,40}$/).filter((value) => value.trim() === value);
  fc.assert(
    fc.property(text, text, (serial, commandLine) => {
      const domain = {
        os: { cmdline: commandLine },
        devices: { disks: [{ serial, source: { file: serial } }] },
      };
      assert.deepEqual(domainFromXml(domainToXml(domain)), domain);
    }),
  );
});

test('what libvirt adds and we do not describe is dropped, the rest stays', () => {
  const xml =
    "<domain type='kvm'><name>n</name><seclabel type='none'/><devices><disk type='file'><geometry cyls='1'/></disk></devices></domain>";
  assert.deepEqual(domainFromXml(xml), { type: 'kvm', name: 'n', devices: { disks: [{ type: 'file' }] } });
});

/** XML cannot tell an empty list from none. */
function withoutEmptyLists<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    Array.isArray(part) && part.length === 0 ? undefined : part,
  );
}
