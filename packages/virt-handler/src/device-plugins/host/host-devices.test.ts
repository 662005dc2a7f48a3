import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ChannelCredentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { devicePluginProto, type PermittedHostDevices } from '@podvisor/api';
import { systemClock } from '@podvisor/base';
import { stderrLog } from '@podvisor/kube';
import { HostDevices } from './host-devices.ts';

const quiet = { ...stderrLog, info: () => {} };
const RESOURCE = 'example.com/nvme';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pvd-'));
  for (const directory of ['dev/vfio', 'plugins', 'sys'])
    mkdirSync(join(root, directory), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plugIn(address: string, group: string): void {
  const device = join(root, 'sys/bus/pci/devices', address);
  mkdirSync(device, { recursive: true });
  writeFileSync(join(device, 'uevent'), 'DRIVER=vfio-pci\nPCI_ID=1B36:0010\n');
  symlinkSync('../../../bus/pci/drivers/vfio-pci', join(device, 'driver'));
  symlinkSync(`../../../kernel/iommu_groups/${group}`, join(device, 'iommu_group'));
  writeFileSync(join(root, 'dev/vfio/vfio'), '');
  writeFileSync(join(root, 'dev/vfio', group), '');
}

/** The kubelet's side of registration; resolves with what was registered first. */
async function kubelet(): Promise<{
  server: Server;
  registered: Promise<devicePluginProto.RegisterRequest>;
}> {
  const server = new Server();
  const { promise, resolve } = Promise.withResolvers<devicePluginProto.RegisterRequest>();
  const service: devicePluginProto.RegistrationServer = {
    register: (call, done) => {
      resolve(call.request);
      done(null, {});
    },
  };
  server.addService(devicePluginProto.RegistrationService, service);
  await new Promise<void>((bound) => {
    server.bindAsync(`unix:${root}/plugins/kubelet.sock`, ServerCredentials.createInsecure(), () => bound());
  });
  return { server, registered: promise };
}

test('a device that comes is offered, one that goes is unhealthy, and a resource goes with its permission', {
  timeout: 20_000,
}, async () => {
  let permitted: PermittedHostDevices | undefined = {
    pciHostDevices: [{ pciVendorSelector: '1b36:0010', resourceName: RESOURCE }],
  };
  const { server, registered } = await kubelet();
  using offered = new HostDevices({
    roots: { sys: join(root, 'sys'), dev: join(root, 'dev') },
    stateDir: join(root, 'state'),
    pluginDir: join(root, 'plugins'),
    permitted: () => permitted,
    clock: systemClock,
    log: quiet,
  });
  await offered.look();
  plugIn('0000:03:00.0', '7');
  const { resourceName, endpoint } = await registered;
  assert.equal(resourceName, RESOURCE);

  const client = new devicePluginProto.DevicePluginClient(
    `unix:${root}/plugins/${endpoint}`,
    ChannelCredentials.createInsecure(),
  );
  const stream = client.listAndWatch({});
  const lists = stream[Symbol.asyncIterator]() as AsyncIterator<devicePluginProto.ListAndWatchResponse>;
  const next = async (): Promise<readonly (readonly string[])[]> => {
    const { value } = await lists.next();
    const { devices } = value as devicePluginProto.ListAndWatchResponse;
    return devices.map(({ ID, health }) => [ID, health]);
  };
  assert.deepEqual(await next(), [['7', 'Healthy']]);
  const answer = await new Promise<devicePluginProto.AllocateResponse>((resolve, reject) => {
    client.allocate({ containerRequests: [{ devicesIds: ['7'] }] }, (error, value) =>
      error === null ? resolve(value) : reject(error),
    );
  });
  const [container] = answer.containerResponses;
  assert.deepEqual(container?.envs, { PCI_RESOURCE_EXAMPLE_COM_NVME: '0000:03:00.0' });
  assert.deepEqual(
    container?.devices.map(({ hostPath }) => hostPath),
    ['/dev/vfio/vfio', '/dev/vfio/7'],
  );
  const refusal = await new Promise<string>((resolve) => {
    client.allocate({ containerRequests: [{ devicesIds: ['8'] }] }, (error) => resolve(error?.details ?? ''));
  });
  assert.match(refusal, /device 8 is not on this node any more/);

  rmSync(join(root, 'dev/vfio/7'));
  assert.deepEqual(await next(), [['7', 'Unhealthy']]);
  plugIn('0000:04:00.0', '9');
  assert.deepEqual(await next(), [
    ['7', 'Unhealthy'],
    ['9', 'Healthy'],
  ]);

  permitted = undefined;
  const gone = offered.look();
  assert.deepEqual(await next(), []);
  assert.equal((await lists.next()).done, true);
  client.close();
  await gone;
  server.forceShutdown();
});
