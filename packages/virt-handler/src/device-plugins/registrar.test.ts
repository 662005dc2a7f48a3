import { FakeClock, systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ChannelCredentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { devicePluginProto } from '@podvisor/api';
import { stderrLog } from '@podvisor/kube';
import { PluginServer } from './plugin-server.ts';
import { Registrar } from './registrar.ts';
import { sharedDevice } from './shared-device.ts';

const quiet = { ...stderrLog, info: () => {} };
let directory: string;
let heard: (request: devicePluginProto.RegisterRequest) => void = () => {};
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pvd-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The kubelet's side of registration. */
async function kubelet(): Promise<Server> {
  const server = new Server();
  const service: devicePluginProto.RegistrationServer = {
    register: (call, done) => {
      try {
        heard(call.request);
        done(null, {});
      } catch (error) {
        done(error as Error);
      }
    },
  };
  server.addService(devicePluginProto.RegistrationService, service);
  await new Promise<void>((resolve) => {
    server.bindAsync(`unix:${directory}/kubelet.sock`, ServerCredentials.createInsecure(), () => resolve());
  });
  return server;
}

function nextRegistration(): Promise<devicePluginProto.RegisterRequest> {
  return new Promise((resolve) => (heard = resolve));
}

test('registers, serves devices, follows their health, and registers again with a new kubelet', {
  timeout: 10_000,
}, async () => {
  const device = join(directory, 'tun');
  writeFileSync(device, '');
  const mount = { hostPath: '/run/cache', containerPath: '/opt/cache' };
  const resource = { name: 'devices.kubevirt.io/tun', path: device, count: 3, mount };
  const plugin = new PluginServer(sharedDevice(resource), directory);
  const first = nextRegistration();
  using registrar = new Registrar({
    pluginDir: directory,
    servers: [plugin],
    clock: systemClock,
    log: quiet,
  });
  let server = await kubelet();
  const request = await first;
  assert.deepEqual(
    [request.version, request.resourceName, request.endpoint],
    ['v1beta1', 'devices.kubevirt.io/tun', 'kubevirt-tun.sock'],
  );
  await registrar.registered();

  const client = new devicePluginProto.DevicePluginClient(
    `unix:${directory}/kubevirt-tun.sock`,
    ChannelCredentials.createInsecure(),
  );
  const stream = client.listAndWatch({});
  const lists = stream[Symbol.asyncIterator]() as AsyncIterator<devicePluginProto.ListAndWatchResponse>;
  const nextDevices = async (): Promise<readonly devicePluginProto.Device[]> => {
    const { value } = await lists.next();
    return (value as devicePluginProto.ListAndWatchResponse).devices;
  };
  const devices = await nextDevices();
  assert.deepEqual(
    devices.map((d) => [d.ID, d.health]),
    [
      ['tun0', 'Healthy'],
      ['tun1', 'Healthy'],
      ['tun2', 'Healthy'],
    ],
  );
  const answer = await new Promise<devicePluginProto.AllocateResponse>((resolve, reject) => {
    client.allocate({ containerRequests: [{ devicesIds: ['tun0'] }] }, (error, value) =>
      error === null ? resolve(value) : reject(error),
    );
  });
  assert.deepEqual(answer.containerResponses[0]?.devices, [
    { containerPath: device, hostPath: device, permissions: 'rw' },
  ]);
  assert.deepEqual(answer.containerResponses[0]?.mounts, [{ ...mount, readOnly: true }]);
  rmSync(device);
  assert.equal((await nextDevices())[0]?.health, 'Unhealthy');
  stream.cancel();
  client.close();

  server.forceShutdown();
  rmSync(join(directory, 'kubelet.sock'), { force: true });
  const again = nextRegistration();
  server = await kubelet();
  assert.equal((await again).resourceName, 'devices.kubevirt.io/tun');
  server.forceShutdown();
});

test('a new kubelet that refuses is asked again after a while, and not at once', {
  timeout: 20_000,
}, async () => {
  const device = join(directory, 'tun');
  writeFileSync(device, '');
  const plugin = new PluginServer(
    sharedDevice({ name: 'devices.kubevirt.io/tun', path: device, count: 1 }),
    directory,
  );
  let failures = 0;
  const clock = new FakeClock();
  const log = { ...quiet, warn: () => void (failures += 1) };
  let server = await kubelet();
  using registrar = new Registrar({ pluginDir: directory, servers: [plugin], clock, log });
  await registrar.registered();
  server.forceShutdown();
  rmSync(join(directory, 'kubelet.sock'), { force: true });
  heard = () => {
    throw new Error('not this resource');
  };
  server = await kubelet();
  try {
    while (failures === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.ok(failures <= 2, `${failures} times at once`);
    const again = nextRegistration();
    clock.advance(10_000);
    assert.equal((await again).resourceName, 'devices.kubevirt.io/tun');
  } finally {
    server.forceShutdown();
  }
});
