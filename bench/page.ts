/**
 * The web page with very many VMs, in Chromium: the API server alone in its own process, VMs and VMIs that nobody runs,
 * `virtctl ui` before it. Time to the first row, and how long frames take while somebody scrolls and VMs change.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crds, type KubernetesObject } from '@podvisor/api';
import { randomFrom } from '@podvisor/base';
import { type ClusterAccess, KubeClient, resources, writeKubeconfig } from '@podvisor/kube';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser.ts';
import { eventually } from '../test/support/eventually.ts';
import { Conversation, root } from '../test/support/instance.ts';
import { withOwnServer } from './own-server.ts';

const NAMESPACE = 'default';
const CLIENTS = 32;
/** A frame that takes longer is seen to stand still. */
const LONG_FRAME_MS = 50;
const crdResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
} as const;

interface PageFigures {
  readonly firstRowMs: number;
  readonly frames: readonly number[];
  /** From a write's answer to the row that shows it. */
  readonly lateMs: readonly number[];
  readonly changesPerSecond: number;
}

export async function benchPage(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      vms: { type: 'string', default: '10000' },
      changes: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const [vms, changes, seconds] = [Number(values.vms), Number(values.changes), Number(values.seconds)];
  const figures = await withOwnServer((access) => measure(access, { vms, changes, seconds }));
  report(figures, vms);
}

interface Load {
  readonly vms: number;
  readonly changes: number;
  readonly seconds: number;
}

async function measure(access: ClusterAccess, load: Load): Promise<PageFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-page-'));
  const kubeconfig = join(directory, 'kubeconfig');
  writeKubeconfig(kubeconfig, { name: 'bench', user: 'admin', access });
  const client = KubeClient.fromAccess(access);
  const browser = await startBrowser();
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const server = new Conversation(join(root, 'bin/virtctl'), ['ui', '--no-open'], env);
  try {
    await fill(client, load.vms);
    const address = /http:\S+/.exec(await server.hear(/http:\S+\n/))?.[0] ?? '';
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.addInitScript(NOTE_FIRST_ROW);
    await page.goto(address);
    await page.getByText(`${load.vms} of ${load.vms}`).waitFor({ timeout: 120_000 });
    const firstRowMs = (await page.evaluate('window.firstRowMs')) as number;
    return { firstRowMs, ...(await changing(client, page, load)) };
  } finally {
    server.end();
    await server.exited(2_000);
    await browser.close();
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const nameOf = (i: number): string => `vm-${String(i).padStart(5, '0')}`;

async function fill(client: KubeClient, count: number): Promise<void> {
  const wanted = ['virtualmachines.kubevirt.io', 'virtualmachineinstances.kubevirt.io'];
  for (const crd of crds.filter(({ metadata }) => wanted.includes(metadata.name ?? '')))
    await client.request({
      method: 'POST',
      path: `/apis/${crdResource.group}/${crdResource.version}/${crdResource.plural}`,
      body: JSON.stringify(crd),
    });
  await eventually('the kinds are served', 30_000, async () => {
    const lists = [resources.virtualMachines, resources.virtualMachineInstances] as const;
    const served = await Promise.all(
      lists.map((kind) => client.list(kind as never, { limit: 1 }).catch(() => undefined)),
    );
    return served.includes(undefined) ? undefined : true;
  });
  await client.create(resources.namespaces, { metadata: { name: NAMESPACE } }).catch(() => undefined);
  await inParallel(count, async (i) => {
    await client.create(resources.virtualMachines, vmOf(nameOf(i)) as never);
    await client.create(resources.virtualMachineInstances, vmiOf(nameOf(i), i) as never);
    await setStatus(client, nameOf(i), 'Running');
  });
}

async function inParallel(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) {
        const i = next;
        next += 1;
        await work(i);
      }
    }),
  );
}

const DOMAIN = { cpu: { cores: 2 }, memory: { guest: '2Gi' }, devices: {} };

function vmOf(name: string): KubernetesObject & { spec: object } {
  const labels = { app: 'bench', 'kubevirt.io/vm': name };
  return {
    metadata: { name, namespace: NAMESPACE, labels },
    spec: { runStrategy: 'Always', template: { metadata: { labels }, spec: { domain: DOMAIN } } },
  };
}

function vmiOf(name: string, i: number): KubernetesObject & { spec: object; status: object } {
  const interfaces = [{ name: 'default', ipAddress: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` }];
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: { domain: DOMAIN },
    status: { phase: 'Running', nodeName: `node-${i % 100}`, interfaces },
  };
}

async function setStatus(client: KubeClient, name: string, printableStatus: string): Promise<void> {
  const body = { status: { printableStatus } };
  const key = { namespace: NAMESPACE, name };
  await client.patch(resources.virtualMachines, key, { type: 'merge', body, subresource: 'status' });
}

/** Changes VMs anywhere in the table, and each second one that is seen; scrolls in the second half. */
async function changing(
  client: KubeClient,
  page: Page,
  { vms, changes, seconds }: Load,
): Promise<Omit<PageFigures, 'firstRowMs'>> {
  const random = randomFrom(18);
  const written = new Map<string, number>();
  await page.evaluate(NOTE_FRAMES);
  const began = performance.now();
  let made = 0;
  const writes: Promise<void>[] = [];
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * changes);
    for (; made < due; made += 1) {
      const isSeen = made % changes === 0 && performance.now() - began < (seconds * 1000) / 2;
      const name = isSeen ? nameOf(0) : nameOf(1 + Math.floor(random() * (vms - 1)));
      const status = `Change-${made}`;
      writes.push(
        setStatus(client, name, status).then(() => {
          if (isSeen) written.set(status, Date.now());
        }),
      );
    }
    if (performance.now() - began > (seconds * 1000) / 2) await page.evaluate('window.isScrolling = true');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(writes);
  const changesPerSecond = (made * 1000) / (performance.now() - began);
  const noted = (await page.evaluate('window.stopNoting()')) as {
    readonly frames: number[];
    readonly seen: Record<string, number>;
  };
  const lateMs = [...written].flatMap(([status, at]) => {
    const seenAt = noted.seen[status];
    return seenAt === undefined ? [] : [Math.max(0, seenAt - at)];
  });
  return { frames: noted.frames, lateMs, changesPerSecond };
}

/** In the browser: when, since the page was asked for, the first row was there. */
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (document.querySelector('.rows [role=rowgroup] .row') === null) return;
  window.firstRowMs = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

/** In the browser: how long each frame took, and when the first row showed which status. */
const NOTE_FRAMES = `(() => {
  const frames = [], seen = {}, table = document.querySelector('.rows');
  let last, isOver = false;
  const frame = (now) => {
    if (isOver) return;
    if (last !== undefined) frames.push(now - last);
    last = now;
    const status = table.querySelector('[role=rowgroup] .row .tone')?.textContent;
    if (status !== undefined) seen[status] ??= Date.now();
    if (window.isScrolling) table.scrollTop += 48;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.stopNoting = () => { isOver = true; return { frames, seen }; };
})()`;

function report({ firstRowMs, frames, lateMs, changesPerSecond }: PageFigures, vms: number): void {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (list: readonly number[], share: number): number =>
    list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? NaN;
  const long = frames.filter((ms) => ms > LONG_FRAME_MS).length;
  const late = lateMs.toSorted((a, b) => a - b);
  console.log(`${vms} VMs, ${changesPerSecond.toFixed(0)} changes a second`);
  console.log(`page asked for → first row              ${firstRowMs.toFixed(0)} ms`);
  console.log(
    `frames: median / p95 / p99 / longest    ${[0.5, 0.95, 0.99, 1].map((share) => at(sorted, share).toFixed(1)).join(' / ')} ms`,
  );
  console.log(`frames longer than ${LONG_FRAME_MS} ms                ${long} of ${frames.length}`);
  console.log(
    `change written → seen: median / longest ${at(late, 0.5)} / ${at(late, 1)} ms, ${late.length} looked at`,
  );
}
