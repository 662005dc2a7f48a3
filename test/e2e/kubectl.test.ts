/**
 * What people do with kubectl, command by command, against one instance without guests. A row is a command and
 * what it must print; rows build on each other. Streams (watch, logs, attach, port-forward, proxy) have tests of
 * their own at the end.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { command, Instance } from '../support/instance.ts';

const IMAGE = 'podvisor.local/virt-launcher:embedded';
const SERVER = `require('http').createServer((q, r) => r.end('hello ' + q.url)).listen(8080, () => console.log('listens'))`;

const web = (replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, set: one}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - name: c
        image: ${IMAGE}
        command: [/usr/lib/podvisor/node, -e, "${SERVER}"]
        ports: [{containerPort: 8080, name: http}]
        resources: {requests: {cpu: 10m}}
`;

const configMap = (name: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {set: one}}
data: {a: "1"}
`;

const gadget = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.test.podvisor.io}
spec:
  group: test.podvisor.io
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget, shortNames: [gd], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, description: How many there are., minimum: 0}
          status: {type: object, properties: {size: {type: integer}}}
`;

interface Row {
  /** Words of the command, split at blanks; a word in a list is taken as it is. */
  readonly args: string | readonly string[];
  readonly prints: RegExp;
  readonly fails?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const row = (args: Row['args'], prints: RegExp, more: Partial<Row> = {}): Row => ({ args, prints, ...more });
const fails = (args: Row['args'], prints: RegExp): Row => row(args, prints, { fails: true });

/** Files are named `@name` in commands. */
const FILES: Readonly<Record<string, string>> = {
  'web.yaml': web(2),
  'web1.yaml': web(1),
  'cm.yaml': configMap('kept'),
  'both.yaml': `${configMap('kept')}---${configMap('pruned')}`,
  'gadget.yaml': gadget,
  'gadget-1.yaml': 'apiVersion: test.podvisor.io/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {size: 3}\n',
  'gadget-bad.yaml':
    'apiVersion: test.podvisor.io/v1\nkind: Gadget\nmetadata: {name: bad}\nspec: {size: -1}\n',
  'typo.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndaat: {}\n',
};

const BLOCKS: readonly (readonly [string, readonly Row[]])[] = [
  [
    'apply, diff, edit, patch, replace',
    [
      row('create namespace k', /namespace\/k created/),
      row('apply -f @web.yaml', /deployment\.apps\/web created/),
      row('apply -f @web.yaml', /deployment\.apps\/web unchanged/),
      row('apply -f @web.yaml --dry-run=server', /unchanged \(server dry run\)/),
      row('apply --server-side --force-conflicts -f @web.yaml', /serverside-applied/),
      fails('apply --server-side --field-manager=other -f @web1.yaml', /Apply failed with 1 conflict/),
      fails('diff -f @web1.yaml', /^\+ {2}replicas: 1$/m),
      row('apply -f @both.yaml', /configmap\/pruned created/),
      row(
        'apply -f @cm.yaml --prune -l set=one --prune-allowlist=core/v1/ConfigMap',
        /configmap\/pruned pruned/,
      ),
      fails('apply -f @typo.yaml', /unknown field "daat"/),
      row('create configmap made --from-literal=k=v', /configmap\/made created/),
      fails('create configmap made --from-literal=k=v', /configmaps "made" already exists/),
      row('edit configmap made', /configmap\/made edited/, {
        env: { KUBE_EDITOR: 'sed -i s/k:.v/k:\\ edited/' },
      }),
      row(['get', 'configmap', 'made', '-o', 'jsonpath={.data.k}'], /^edited$/),
      row(['patch', 'configmap', 'made', '--type=merge', '-p', '{"data":{"m":"1"}}'], /patched/),
      row(
        ['patch', 'configmap', 'made', '--type=json', '-p', '[{"op":"remove","path":"/data/m"}]'],
        /patched/,
      ),
      row(['patch', 'configmap', 'made', '-p', '{"metadata":{"labels":{"l":"1"}}}'], /patched/),
      row(['patch', 'configmap', 'made', '-p', '{}'], /patched \(no change\)/),
      row('replace -f @cm.yaml', /configmap\/kept replaced/),
      row('label configmap made l=2 --overwrite', /labeled/),
      row('annotate configmap made note=x', /annotated/),
    ],
  ],
  [
    'get in every form',
    [
      row('rollout status deployment/web --timeout=60s', /successfully rolled out/),
      row('get pods', /^NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\nweb-\S+\s+1\/1\s+Running/),
      row('get pods -o wide', /IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES/),
      row('get pods -o name -l app=web', /^pod\/web-/),
      row('get pods -l app!=web', /No resources found in k namespace/),
      row(['get', 'pods', '-l', 'app in (web,x)', '-o', 'name'], /^pod\/web-/),
      row('get pods --field-selector status.phase=Running -o name', /^pod\/web-/),
      row('get pods --chunk-size=1 -o name', /^pod\/web-\S+\npod\/web-\S+$/m),
      row('get configmaps --sort-by=.metadata.name', /kept[^]*kube-root-ca\.crt[^]*made/),
      row('get configmap made -o custom-columns=N:.metadata.name,K:.data.k', /^N\s+K\nmade\s+edited/),
      row('get configmap made -o yaml', /^apiVersion: v1\ndata:\n {2}k: edited\nkind: ConfigMap/),
      row('get configmap made -o json', /"kind": "ConfigMap"/),
      row(['get', 'deployment', 'web', '-o', 'go-template={{.spec.replicas}}'], /^2$/),
      row('get all', /deployment\.apps\/web\s+2\/2[^]*replicaset\.apps\/web-/),
      row('get deployments,configmaps', /deployment\.apps\/web[^]*configmap\/made/),
      row('get pods -A --show-labels', /pod-template-hash=/),
      fails('get configmap none', /Error from server \(NotFound\): configmaps "none" not found/),
      row('get configmap none --ignore-not-found', /^$/),
      row(['get', '--raw', '/version'], /"gitVersion"/),
      row('describe deployment web', /Replicas:\s+2 desired \| 2 updated \| 2 total \| 2 available/),
      row('describe pods', /Successfully assigned k\/web-/),
      row('describe node', /Allocatable:[^]*Allocated resources/),
      row('events --types=Normal', /ScalingReplicaSet/),
      row('get events --field-selector reason=ScalingReplicaSet', /Scaled up replica set/),
    ],
  ],
  [
    'what the server has',
    [
      row('api-resources --api-group=apps', /deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/),
      row('api-resources --namespaced=false -o name', /^nodes$/m),
      row('api-versions', /^apps\/v1$/m),
      row('explain deployment.spec.strategy.type', /FIELD: type <string>/),
      row('explain vmi.spec.domain.cpu', /FIELD: cpu <Object>/),
      row('explain pod.spec --recursive', /activeDeadlineSeconds/),
      row('cluster-info', /control plane[^]*is running at/),
      row('version', /Server Version: v1\./),
      row('auth can-i create pods', /^yes$/m),
      fails('auth can-i create pods --as=nobody', /^no$/m),
      row('auth can-i --list', /\*\.\*/),
      row('auth whoami', /kubernetes-admin/),
      row('config view --minify', /current-context:/),
    ],
  ],
  [
    'workloads',
    [
      row('scale deployment/web --replicas=3', /scaled/),
      row(
        ['wait', '--for=jsonpath={.status.readyReplicas}=3', 'deployment/web', '--timeout=60s'],
        /condition met/,
      ),
      row('scale deployment/web --replicas=1 --current-replicas=3', /scaled/),
      row('set env deployment/web A=1', /env updated/),
      row('rollout status deployment/web --timeout=60s', /successfully rolled out/),
      row('rollout history deployment/web', /REVISION/),
      row('rollout undo deployment/web', /rolled back/),
      row('rollout pause deployment/web', /paused/),
      row('rollout resume deployment/web', /resumed/),
      row('rollout restart deployment/web', /restarted/),
      row('rollout status deployment/web --timeout=60s', /successfully rolled out/),
      row('autoscale deployment/web --min=1 --max=2 --cpu-percent=80', /autoscaled/),
      row('get hpa', /Deployment\/web\s+cpu: \S+\/80%/),
      row('delete hpa web', /deleted/),
      row('expose deployment web --port=80 --target-port=http', /service\/web exposed/),
      row('get service web', /ClusterIP\s+10\./),
      row(
        `create job once --image=${IMAGE} -- /bin/sh -c echo\u00a0done`
          .split(' ')
          .map((w) => w.replace('\u00a0', ' ')),
        /job\.batch\/once created/,
      ),
      row('wait --for=condition=complete job/once --timeout=60s', /condition met/),
      row('logs job/once', /^done$/m),
      row(
        ['create', 'cronjob', 'later', `--image=${IMAGE}`, '--schedule=0 0 1 1 *', '--', '/bin/true'],
        /created/,
      ),
      row('create job now --from=cronjob/later', /created/),
      row('wait --for=condition=complete job/now --timeout=60s', /condition met/),
      row('top nodes', /CPU\(cores\)[^]*\d+m/),
      row('top pods', /web-\S+\s+\d+m\s+\d+Mi/),
      row('create quota few --hard=pods=5', /created/),
      row('create serviceaccount bot', /created/),
      row('create token bot', /^eyJ/),
      row('create role reader --verb=get --resource=pods', /created/),
      row('create rolebinding reader --role=reader --serviceaccount=k:bot', /created/),
      row('auth can-i get pods --as=system:serviceaccount:k:bot', /^yes$/m),
    ],
  ],
  [
    'custom resources',
    [
      row('apply -f @gadget.yaml', /created/),
      row('wait --for=condition=established crd/gadgets.test.podvisor.io --timeout=30s', /condition met/),
      row('apply -f @gadget-1.yaml', /gadget\.test\.podvisor\.io\/g created/),
      row('get gd', /^NAME\s+SIZE\ng\s+3/),
      row('explain gadget.spec.size', /How many there are\./),
      fails('apply -f @gadget-bad.yaml', /spec\.size in body should be greater than or equal to 0/),
      row('scale gadget/g --replicas=7', /scaled/),
      row(['get', 'gadget', 'g', '-o', 'jsonpath={.spec.size}'], /^7$/),
      row(
        ['patch', 'gadget', 'g', '--subresource=status', '--type=merge', '-p', '{"status":{"size":1}}'],
        /patched/,
      ),
      row('delete crd gadgets.test.podvisor.io', /deleted/),
    ],
  ],
  [
    'the components of the home',
    [
      ...['deployment/virt-operator', 'deployment/virt-api', 'deployment/virt-controller'].map((workload) =>
        row(`-n kubevirt rollout status ${workload} --timeout=60s`, /successfully rolled out/),
      ),
      row('-n kubevirt rollout status daemonset/virt-handler --timeout=60s', /successfully rolled out/),
      row('-n kubevirt logs deployment/virt-controller --tail=1', /^\{"level"/),
      fails('-n kubevirt exec deployment/virt-api -- ls', /stands for the process "virt-api" of this home/),
      row('-n kubevirt delete pod -l kubevirt.io=virt-controller', /deleted/),
      row('-n kubevirt rollout status deployment/virt-controller --timeout=60s', /successfully rolled out/),
      row('get --raw /apis/subresources.kubevirt.io/v1/healthz', /"config-resource-version":"\d+"/),
    ],
  ],
  [
    'nodes',
    [
      row('taint nodes node-1 a=b:NoSchedule', /tainted/),
      row('taint nodes node-1 a=b:NoSchedule-', /untainted/),
      row('cordon node-1', /cordoned/),
      row('get nodes', /Ready,SchedulingDisabled/),
      row('uncordon node-1', /uncordoned/),
      row(
        'drain node-1 --ignore-daemonsets --delete-emptydir-data --force --timeout=60s --pod-selector=app=web',
        /evicted[^]*drained/,
      ),
      row('uncordon node-1', /uncordoned/),
      row('rollout status deployment/web --timeout=60s', /successfully rolled out/),
    ],
  ],
  [
    'delete',
    [
      row('delete configmap made --wait=false', /deleted/),
      row('delete deployment web --cascade=orphan', /deleted/),
      row('get replicasets -o name', /^replicaset\.apps\/web-/),
      row('apply -f @web1.yaml', /created/),
      row('rollout status deployment/web --timeout=60s', /successfully rolled out/),
      row('delete deployment web --cascade=foreground --timeout=60s', /deleted/),
      row('get replicasets', /No resources found/),
      row('delete pods --all --grace-period=0 --force', /deleted|No resources found/),
      row('delete namespace k --timeout=60s', /deleted/),
    ],
  ],
];

describe('kubectl', { concurrency: 1 }, () => {
  let instance: Instance;
  let files: string;
  const children = new Set<ChildProcess>();

  before(async () => {
    files = mkdtempSync(join(tmpdir(), 'podvisor-kubectl-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(files, name), text);
    instance = await Instance.prepare();
    const { code, stderr } = await instance.up();
    assert.equal(code, 0, stderr);
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await instance.purge();
    rmSync(files, { recursive: true, force: true });
  });

  const words = (args: Row['args'], namespace = 'k'): string[] => {
    const list = typeof args === 'string' ? args.split(' ') : [...args];
    return ['-n', namespace, ...list.map((word) => word.replace(/^@/, `${files}/`))];
  };

  /** A command that goes on; what it prints so far. */
  const start = (args: string): { readonly child: ChildProcess; output(): string } => {
    const child = spawn('kubectl', words(args), { env: instance.env, stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    child.once('close', () => children.delete(child));
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    return { child, output: () => text };
  };
  const shows = (output: () => string, pattern: RegExp): Promise<boolean> =>
    eventually(`${pattern} in what it prints`, 60_000, () => pattern.test(output()) || undefined);

  const runBlock = async (rows: readonly Row[]): Promise<void> => {
    for (const { args, prints, fails: mustFail = false, env = {} } of rows) {
      const line = words(args);
      const { code, stdout, stderr } = await command('kubectl', line, { ...instance.env, ...env }, 120_000);
      const said = `kubectl ${line.join(' ')}\nexit ${code}\n${stdout}\n${stderr}`;
      assert.equal(code !== 0, mustFail, said);
      assert.ok(prints.test(stdout.trim()) || prints.test(stderr.trim()), `${said}\nshould print ${prints}`);
    }
  };

  for (const [name, rows] of BLOCKS.slice(0, -2)) test(name, { timeout: 400_000 }, () => runBlock(rows));

  test('exec, cp, logs, attach, port-forward, proxy, watch', { timeout: 300_000 }, async () => {
    await runBlock([
      row(['exec', 'deployment/web', '--', 'sh', '-c', 'echo in; exit 0'], /^in$/),
      fails(['exec', 'deployment/web', '--', 'sh', '-c', 'exit 7'], /exit code 7/),
      row('logs deployment/web --tail=1', /listens/),
      row('logs deployment/web --since=1h --timestamps', /^\d{4}-\d\d-\d\dT\S+ listens/m),
      fails('logs deployment/web --previous', /previous terminated container "c" in pod "\S+" not found/),
    ]);
    const { stdout } = await command('kubectl', words('get pods -l app=web -o name'), instance.env);
    const pod = stdout.trim().split('\n')[0]?.slice('pod/'.length) ?? '';
    await runBlock([
      row(`cp @cm.yaml ${pod}:/tmp/cm.yaml`, /^/),
      row(`exec ${pod} -- cat /tmp/cm.yaml`, /kind: ConfigMap/),
      row(`cp ${pod}:/tmp/cm.yaml ${files}/back.yaml`, /^/),
    ]);
    assert.equal(readFileSync(join(files, 'back.yaml'), 'utf8'), FILES['cm.yaml']);

    const attached = start(`run -i --rm --restart=Never --image=${IMAGE} cat --command -- cat`);
    await shows(attached.output, /press(ing)? enter|command prompt/);
    attached.child.stdin?.write('over\n');
    await shows(attached.output, /^over$/m);
    attached.child.stdin?.end();
    await shows(attached.output, /pod "cat" deleted/);

    const forward = start('port-forward deployment/web :8080');
    await shows(forward.output, /Forwarding from 127\.0\.0\.1:(\d+)/);
    const port = /127\.0\.0\.1:(\d+)/.exec(forward.output())?.[1];
    assert.equal(await page(`http://127.0.0.1:${port}/x`), 'hello /x');
    forward.child.kill();

    const health = start('-n kubevirt port-forward deployment/virt-controller :8443');
    await shows(health.output, /Forwarding from 127\.0\.0\.1:(\d+)/);
    const healthPort = /127\.0\.0\.1:(\d+)/.exec(health.output())?.[1];
    assert.match(await page(`https://127.0.0.1:${healthPort}//healthz`), /"config-resource-version":"\d+"/);
    health.child.kill();

    const proxy = start('proxy --port=0');
    await shows(proxy.output, /Starting to serve on 127\.0\.0\.1:(\d+)/);
    const at = /127\.0\.0\.1:(\d+)/.exec(proxy.output())?.[1];
    const base = `http://127.0.0.1:${at}/api/v1/namespaces/k`;
    assert.equal(await page(`${base}/services/web:80/proxy/through`), 'hello /through');
    assert.equal(await page(`${base}/pods/${pod}:8080/proxy/pod`), 'hello /pod');
    proxy.child.kill();

    const watch = start('get configmaps -w');
    await shows(watch.output, /kept/);
    const logs = start('logs -f deployment/web');
    await shows(logs.output, /listens/);
    await runBlock([row('create configmap seen', /created/), row('delete configmap seen', /deleted/)]);
    await shows(watch.output, /seen/);
    watch.child.kill();
    logs.child.kill();
  });

  for (const [name, rows] of BLOCKS.slice(-2)) test(name, { timeout: 400_000 }, () => runBlock(rows));
});

function page(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https') ? getSecurely : get;
    ask(url, { rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
