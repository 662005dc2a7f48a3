import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsXml } from '@podvisor/storage';
import { metricsReport } from './report.ts';

const texts = {
  stat: 'cpu  100 50 250 9000 10 0 0 0 0 0\ncpu0 100 50 250 9000 10 0 0 0 0 0\n',
  meminfo: [
    'MemTotal:        8000 kB',
    'MemFree:         1000 kB',
    'Buffers:          500 kB',
    'Cached:          1500 kB',
    'SwapCached:        10 kB',
    'SwapTotal:       2000 kB',
    'SwapFree:        1900 kB',
  ].join('\n'),
  vmstat: 'pswpin 3\npswpout 5\n',
  packages: ['0', '0', '1', '1'],
  nowMs: 1_700_000_000_500,
};
const stats = {
  'vcpu.current': 2,
  'vcpu.maximum': 4,
  'vcpu.0.time': 1_500_000_000,
  'vcpu.1.time': 500_000_000,
  'balloon.current': 196_608,
};

test('what vm-dump-metrics shows in the guest', () => {
  const xml = metricsXml(metricsReport({ nodeName: 'node-1', qemuVersion: 7_002_022 }, stats, texts));
  const values = Object.fromEntries(
    [...xml.matchAll(/context="(\w+)"[^>]*><name>(\w+)<\/name><value>([^<]*)</g)].map(
      ([, context, name, value]) => [`${context}.${name}`, value],
    ),
  );
  assert.deepEqual(values, {
    'host.HostName': 'node-1',
    'host.HostSystemInfo': 'linux',
    'host.VirtualizationVendor': 'kubevirt.io',
    'host.VirtProductInfo': 'QEMU 7.2.22',
    'vm.TotalCPUTime': '2.000000',
    'vm.ResourceProcessorLimit': '2',
    'vm.PhysicalMemoryAllocatedToVirtualSystem': '196608',
    'vm.ResourceMemoryLimit': '196608',
    'host.NumberOfPhysicalCPUs': '2',
    'host.TotalCPUTime': '4.000000',
    'host.FreePhysicalMemory': '1000',
    'host.FreeVirtualMemory': '2900',
    'host.MemoryAllocatedToVirtualServers': '5000',
    'host.UsedVirtualMemory': '6990',
    'host.PagedInMemory': '12',
    'host.PagedOutMemory': '20',
    'host.Time': '1700000000',
  });
  assert.match(xml, /<metric type="uint64" context="vm" unit="KiB"><name>ResourceMemoryLimit</);
});

test('files that cannot be read are left out', () => {
  const empty = { stat: '', meminfo: '', vmstat: '', packages: [], nowMs: 1000 };
  const names = metricsReport({ nodeName: 'n' }, {}, empty).map(({ name }) => name);
  assert.deepEqual(names.slice(-1), ['Time']);
  assert.equal(names.includes('FreePhysicalMemory'), false);
});
