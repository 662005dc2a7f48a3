/**
 * Services as users know them, with real Pods and a real guest: a Deployment rolls out, scales and restarts
 * behind one name; host, Pod and guest reach it; a Service selects a VM. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, Pod, VirtualMachine } from '@podvisor/api';
import { defineResource, type KubeClient, resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { command, Instance, root } from '../support/instance.ts';

const IMAGE = 'podvisor.local/virt-launcher:embedded';
const namespace = 'default';
const deployments = defineResource<KubernetesObject>('Deployment', 'deployments', 'apps/v1');
const services = defineResource<KubernetesObject & { spec: object }>('Service', 'services', 'v1');

/** Answers with its own name and the client's address. */
const SERVER = `require('http').createServer((q, r) => r.end(require('os').hostname() + ' ' + q.socket.remoteAddress)).listen(8080)`;

const web = {
  metadata: { namespace, name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'web',
            image: IMAGE,
            command: ['/usr/lib/podvisor/node', '-e', SERVER],
            ports: [{ containerPort: 8080, name: 'http' }],
            readinessProbe: { httpGet: { port: 'http' }, periodSeconds: 1 },
          },
        ],
      },
    },
  },
};

function serviceOf(name: string, spec: object): KubernetesObject & { spec: object } {
  return { metadata: { namespace, name }, spec };
}

interface ServiceFacts {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly nodePort?: number }[] };
}

describe('services', { concurrency: 1 }, () => {
  let instance: Instance;
  let client: KubeClient;
  const factsOf = async (name: string): Promise<ServiceFacts> =>
    (await client.get(services, { namespace, name })) as unknown as ServiceFacts;
  const podsOf = async (app: string): Promise<readonly Pod[]> =>
    (await client.list(resources.pods, { namespace, labelSelector: `app=${app}` })).items;
  const page = async (url: string): Promise<string> =>
    (await fetch(url, { headers: { connection: 'close' } })).text();
  const kubectl = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await instance.kubectl(...args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const inPod = async (...command: string[]): Promise<string> => {
    const [pod] = await podsOf('web');
    return await kubectl('exec', pod?.metadata.name ?? '', '--', ...command);
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    client = instance.client;
  });
  after(() => instance?.purge());

  test('a Deployment rolls out, and its Service has an endpoint for each Pod', async () => {
    await client.create(deployments, web);
    await client.create(
      services,
      serviceOf('web', {
        type: 'NodePort',
        selector: { app: 'web' },
        ports: [{ port: 80, targetPort: 'http' }],
      }),
    );
    assert.match(
      await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s'),
      /successfully rolled out/,
    );
    const ready = (await podsOf('web')).map(({ status }) => status?.podIP ?? '').toSorted();
    const told = await eventually('both addresses in the slice', 10_000, async () => {
      const text = await kubectl(
        'get',
        'endpointslices',
        '-l',
        'kubernetes.io/service-name=web',
        '-o',
        'json',
      );
      const { items } = JSON.parse(text) as { items: { endpoints: { addresses: string[] }[] | null }[] };
      const addresses = items
        .flatMap(({ endpoints }) => endpoints ?? [])
        .flatMap((endpoint) => endpoint.addresses);
      return addresses.length === 2 ? addresses.toSorted() : undefined;
    });
    assert.deepEqual(told, ready);
  });

  test('the host reaches all Pods of the Service, at its address and at the port of the node', async () => {
    const { spec } = await factsOf('web');
    const seen = new Set<string>();
    await eventually('both Pods answered', 10_000, async () => {
      seen.add((await page(`http://${spec.clusterIP}/`)).split(' ')[0] ?? '');
      return seen.size === 2 ? true : undefined;
    });
    const node = await client.get(resources.nodes, { name: 'node-1' });
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    assert.match(await page(`http://${address}:${spec.ports[0]?.nodePort}/`), /^web-/);
    assert.match(await page(`http://127.0.0.1:${spec.ports[0]?.nodePort}/`), /^web-/);
  });

  test('a load balancer has an address that answers, also to Pods, and refuses when nobody is behind it', async () => {
    await kubectl(
      'expose',
      'deployment',
      'web',
      '--name=lb',
      '--type=LoadBalancer',
      '--port=80',
      '--target-port=http',
    );
    const address = await eventually('an address', 10_000, async () => {
      const ip = await kubectl('get', 'service', 'lb', '-o', 'jsonpath={.status.loadBalancer.ingress[0].ip}');
      return ip === '' ? undefined : ip;
    });
    assert.equal(address, instance.podCidr.replace('0.0/16', '112.1'));
    await eventually('an answer', 10_000, () => page(`http://${address}/`));
    assert.match(await inPod('curl', '-sm5', `http://${address}/`), /^web-/);
    await kubectl('patch', 'service', 'lb', '-p', '{"spec":{"selector":{"app":"nobody"}}}');
    await eventually('a refusal', 10_000, async () => {
      // 7: no connection; a packet that nobody answers ends with 28.
      const { code } = await command('curl', ['-sm3', `http://${address}/`], instance.env);
      return code === 7 || undefined;
    });
    await kubectl('delete', 'service', 'lb');
  });

  test('a Pod reaches it by name, itself included, and knows where the API server is', async () => {
    for (let i = 0; i < 6; i += 1) assert.match(await inPod('curl', '-sm5', 'http://web'), /^web-/);
    assert.match(await inPod('curl', '-sm5', 'http://web.default.svc.cluster.local'), /^web-/);
    const directory = '/var/run/secrets/kubernetes.io/serviceaccount';
    const ask = `curl -sm5 --cacert ${directory}/ca.crt -H "Authorization: Bearer $(cat ${directory}/token)" https://kubernetes.default/version`;
    assert.match(await inPod('sh', '-c', ask), /gitVersion/);
    assert.match(await inPod('env'), /KUBERNETES_SERVICE_HOST=[\d.]+\n/);
  });

  test('names lead to addresses and ports, and those that do not exist are refused', async () => {
    const look = (name: string): string =>
      `require('dns').resolve4('${name}', (error, found) => console.log(error?.code ?? found.join()))`;
    const node = '/usr/lib/podvisor/node';
    assert.equal(await inPod(node, '-e', look('nobody.default.svc.cluster.local')), 'ENOTFOUND\n');
    assert.equal(
      await inPod(node, '-e', look('web.default.svc.cluster.local')),
      `${(await factsOf('web')).spec.clusterIP}\n`,
    );
    const servers = `require('dns').resolveSrv('_https._tcp.kubernetes.default.svc.cluster.local', (error, found) => console.log(error?.code ?? found[0].port))`;
    assert.equal(await inPod(node, '-e', servers), '443\n');
  });

  test('virtctl expose: a Service selects a VM, with a port of the node', async () => {
    const exposed = await instance.virtctl(
      'expose',
      'vm',
      'hello',
      '--port',
      '80',
      '--name',
      'hello',
      '--type',
      'NodePort',
    );
    assert.equal(exposed.code, 0, exposed.stderr);
    const { spec } = await factsOf('hello');
    const text = await eventually('the guest answers behind its Service', 300_000, () =>
      page(`http://${spec.clusterIP}/`),
    );
    assert.equal(text, 'hello from hello\n');
    assert.equal(await inPod('curl', '-sm5', 'http://hello'), 'hello from hello\n');
    const node = await client.get(resources.nodes, { name: 'node-1' });
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    assert.equal(await page(`http://${address}:${spec.ports[0]?.nodePort}/`), 'hello from hello\n');
  });

  test('a guest finds Services by name', async () => {
    const asking = 'wget -q -O /www/index.html http://web.default.svc.cluster.local';
    const vm = JSON.stringify(bootIdVm('asker')).replace(
      'cat /proc/sys/kernel/random/boot_id > /www/index.html',
      asking,
    );
    await client.create(resources.virtualMachines, JSON.parse(vm) as VirtualMachine);
    const text = await eventually('the page that the guest fetched', 300_000, async () => {
      const vmi = await client.find(resources.virtualMachineInstances, { namespace, name: 'asker' });
      const address = vmi?.status?.interfaces?.[0]?.ipAddress;
      if (address === undefined) return undefined;
      const found = await page(`http://${address}/`);
      return found.startsWith('web-') ? found : undefined;
    });
    assert.match(text, /^web-\S+ \S+$/);
  });

  test('it grows without a request lost; restart and undo replace its Pods', async () => {
    const { spec } = await factsOf('web');
    const url = `http://${spec.clusterIP}/`;
    const before = new Set((await podsOf('web')).map(({ metadata }) => metadata.name));
    let failures = 0;
    let asked = 0;
    const ending = new AbortController();
    const asking = (async () => {
      while (!ending.signal.aborted) {
        asked += 1;
        await page(url).catch(() => {
          failures += 1;
        });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await kubectl('scale', 'deployment/web', '--replicas=3');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
    assert.equal((await podsOf('web')).length, 3);
    await kubectl('scale', 'deployment/web', '--replicas=2');
    ending.abort();
    await asking;
    assert.ok(asked > 0);
    assert.equal(failures, 0, `${failures} of ${asked} requests failed while it grew`);
    await kubectl('rollout', 'restart', 'deployment/web');
    assert.match(
      await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s'),
      /successfully rolled out/,
    );
    await eventually('only new Pods', 20_000, async () =>
      (await podsOf('web')).every(({ metadata }) => !before.has(metadata.name)) ? true : undefined,
    );
    await kubectl('rollout', 'undo', 'deployment/web');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
    assert.match(await kubectl('rollout', 'history', 'deployment/web'), /\n3 /);
    // The last of the old Pods may still be on its way out.
    await eventually('the page of the old revision', 20_000, async () => /^web-/.exec(await page(url))?.[0]);
  });

  test('a Service without Pods refuses at once', async () => {
    await client.patch(
      deployments,
      { namespace, name: 'web' },
      { type: 'merge', body: { spec: { replicas: 0 } } },
    );
    const { spec } = await factsOf('web');
    await eventually('connections are refused', 20_000, async () => {
      const failure = await page(`http://${spec.clusterIP}/`).catch((error: unknown) => error);
      return failure instanceof Error && String(failure.cause).includes('ECONNREFUSED') ? true : undefined;
    });
  });

  test('nothing of it stays on the machine', async () => {
    const table = `podvisor-services-${instance.name}`;
    assert.match(execFileSync('nft', ['list', 'tables'], { encoding: 'utf8' }), new RegExp(table));
    await instance.podvisor(['down', '--purge', '--timeout', '20'], 120_000);
    assert.doesNotMatch(execFileSync('nft', ['list', 'tables'], { encoding: 'utf8' }), new RegExp(table));
    const prefix = instance.podCidr.split('.').slice(0, 2).join('.');
    assert.doesNotMatch(
      execFileSync('ip', ['addr', 'show', 'dev', 'lo'], { encoding: 'utf8' }),
      new RegExp(`${prefix}\\.96\\.`),
    );
  });
});
