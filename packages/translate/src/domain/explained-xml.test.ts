import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typicalVmis } from '../testing/typical-vmis.ts';
import { plainContext, vmiOf } from '../testing/vmi.ts';
import { explainedDomainXml } from './explained-xml.ts';
import { launcherDomain } from './launcher-domain.ts';
import { domainFromXml, domainToXml } from './xml.ts';

for (const { name, vmi, context } of typicalVmis) {
  test(`${name}: every device has a reason, and the reasons change nothing`, () => {
    const facts = { ...plainContext, ...context };
    const explained = explainedDomainXml(vmi, facts);
    const plain = domainToXml(launcherDomain(vmi, facts));
    assert.equal(domainToXml(domainFromXml(explained)), plain);
    const devices = explained
      .slice(0, explained.indexOf('</devices>'))
      .split('\n')
      .filter((line) => /^ {4}<[a-z]/.test(line) && !line.startsWith('    </'));
    const inDevices = devices.slice(devices.findIndex((line) => /<(disk|controller)/.test(line)));
    assert.deepEqual(
      inDevices.filter((line) => !line.includes('<!-- ')),
      [],
    );
  });
}

const disks = [
  { name: 'root', disk: { bus: 'virtio' } },
  { name: 'data', disk: { bus: 'virtio' } },
];
const volumes = disks.map(({ name }) => ({ name, containerDisk: { image: 'i' } }));

test('why is this disk vdb?', () => {
  const xml = explainedDomainXml(vmiOf({ devices: { disks } }, { volumes }), plainContext);
  assert.match(
    xml,
    /disks\[1\] "data" on spec\.volumes "data"; vdb: the second virtio disk, in the order of/,
  );
});

test('a name that the guest has seen is kept, and says so', () => {
  const vmi = {
    ...vmiOf({ devices: { disks } }, { volumes }),
    status: { volumeStatus: [{ name: 'data', target: 'vdd' }] },
  };
  assert.match(explainedDomainXml(vmi, plainContext), /vdd is kept from status\.volumeStatus/);
});

test('two dashes cannot end a comment early', () => {
  const name = 'a--b';
  const odd = vmiOf(
    { devices: { disks: [{ name, disk: { bus: 'virtio' } }] } },
    { volumes: [{ name, emptyDisk: { capacity: '1Mi' } }] },
  );
  assert.doesNotMatch(explainedDomainXml(odd, plainContext), /<!--[^>]*a--b/);
});
