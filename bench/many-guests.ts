/**
 * A node with many real guests: what one scrape of its virt-handler takes and costs, and how long a new virt-handler
 * needs until it has taken all of them up again. Every guest has its own Pod, launcher, libvirtd and QEMU, a disk and a
 * NIC; what is small is the guest inside: its firmware finds nothing to boot and halts, so that two cores carry
 * hundreds of them. It has no agent, hence no file systems among its numbers. Sizes grow in one home.
 *
 * Halted firmware still takes 18 interrupts of its timer a second, which under software emulation costs half a percent
 * of a core: 200 such guests leave little of two cores, and a scrape waits behind them. With --stopped the virtual CPUs
 * never begin: what is left is what asking takes.
 *
 * What a scrape costs is the CPU time of virt-handler and of everything in the Pods over some scrapes, less what the
 * same processes use in as much time without any.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../test/support/eventually.ts';
import { Instance } from '../test/support/instance.ts';
import { SmallestGuests } from '../test/support/guests/smallest-guests.ts';
import { metricsReaderToken } from '../test/support/metrics-reader.ts';
import { instanceProcesses } from '../test/support/traces.ts';
import { type CpuTimes, cpuMs, cpuPerOperation, describeCpu } from './home-processes.ts';
import { median } from './start.ts';
import { note } from './targets.ts';

const SCRAPES = 10;
const PAUSE_MS = 1_000;
const INTERVAL_MS = 30_000;
/** Long enough for what is done every half minute to be in it twice. */
const REST_MS = 60_000;
/** What has just begun still works: launchers, firmware. */
const SETTLE_MS = 20_000;
const ADOPTION = /^podvisor_virt_handler_adoption_seconds\{.*\} (\S+)$/m;
/** What Prometheus sends. */
const ACCEPT = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3';

export async function benchManyGuests(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      guests: { type: 'string', default: '50,100,200' },
      stopped: { type: 'boolean', default: false },
    },
  });
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up();
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const scrape = await scraper(instance);
    await using guests = await SmallestGuests.follow(instance.client, values.stopped);
    for (const size of values.guests.split(',').map(Number)) {
      const ms = await guests.grow(size);
      console.log(`\n${size} guests run, the last of them after ${(ms / 1000).toFixed(0)} s`);
      await delay(SETTLE_MS);
      await measureScrapes(instance, scrape);
    }
    const seconds = await adoptionSeconds(instance, scrape);
    note('adoption', (seconds * 1000 * 100) / guests.size);
    console.log(`\nvirt-handler killed: all taken up ${seconds.toFixed(2)} s after it began`);
  } finally {
    await instance.purge(600_000);
  }
}

type Scrape = () => Promise<{ readonly ms: number; readonly body: string }>;

/** Reads virt-handler's page as Prometheus does: over its TLS, with a token, on a connection that stays open. */
async function scraper(instance: Instance): Promise<Scrape> {
  const token = await metricsReaderToken(instance);
  const options = {
    ...{ host: '127.0.0.1', port: instance.apiPort + 2, path: '/metrics' },
    ca: readFileSync(`${instance.home}/pki/kubevirt-ca.crt`),
    agent: new Agent({ keepAlive: true }),
    headers: { authorization: `Bearer ${token}`, accept: ACCEPT },
  };
  return () =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      get(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode}: ${body}`));
          else resolve({ ms: performance.now() - began, body });
        });
      }).on('error', reject);
    });
}

async function measureScrapes(instance: Instance, scrape: Scrape): Promise<void> {
  const first = await scrape();
  const asked = new Set(
    [...first.body.matchAll(/^kubevirt_vmi_cpu_usage_seconds_total\{.*?name="(.*?)"/gm)].map(
      ([, name]) => name,
    ),
  );
  const processes = scrapedProcesses(instance);
  const before = cpuByKind(processes);
  const began = performance.now();
  const times: number[] = [];
  for (let i = 0; i < SCRAPES; i += 1) {
    times.push((await scrape()).ms);
    await delay(PAUSE_MS);
  }
  const after = cpuByKind(processes);
  const scrapedMs = performance.now() - began;
  const restMs = Math.max(scrapedMs, REST_MS);
  await delay(restMs);
  const atRest = cpuPerOperation(after, cpuByKind(processes), 1);
  const idle = new Map([...atRest].map(([kind, ms]) => [kind, (ms * scrapedMs) / restMs / SCRAPES] as const));
  const busy = cpuPerOperation(before, after, SCRAPES);
  const cost = new Map(
    [...busy].map(([kind, ms]) => [kind, Math.max(0, ms - (idle.get(kind) ?? 0))] as const),
  );
  const total = [...cost.values()].reduce((sum, ms) => sum + ms, 0);
  const percent = (ms: number): number => (ms / INTERVAL_MS) * 100;
  const share = (ms = 0): string => `${percent(ms).toFixed(2)} %`;
  // The last size counts: it is the largest.
  note('scrape', median(times));
  note('scrapeCpu', percent(total));
  console.log(
    `  one scrape: numbers of ${asked.size} guests, ${(first.body.length / 1024).toFixed(0)} KiB, first ${first.ms.toFixed(0)} ms`,
  );
  console.log(
    `  median of ${SCRAPES}: ${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}; target with 200: < 500)`,
  );
  console.log(`  CPU of a scrape: ${describeCpu(cost)}`);
  const guestMinutes = (asked.size * restMs) / 60_000;
  const resting = [...atRest].map(([kind, ms]) => `${kind} ${(ms / guestMinutes).toFixed(1)}`);
  console.log(`  CPU ms a guest and minute while nobody asks: ${resting.join(', ')}`);
  const restCores = [...atRest.values()].reduce((sum, ms) => sum + ms, 0) / restMs;
  console.log(
    `  of the machine's ${availableParallelism()} cores they use ${restCores.toFixed(2)} meanwhile`,
  );
  console.log(
    `  of a core at one scrape in 30 s: ${share(total)}, virt-handler alone ${share(cost.get('virt-handler'))} (target with 200: < 2 %)`,
  );
}

/** Pids by what they are: those that a scrape gives work to. */
function scrapedProcesses({ home, name }: Instance): ReadonlyMap<string, readonly number[]> {
  const kinds = [
    ['virt-handler', /^\S*node .*virt-handler\.mjs/],
    ['launchers', /^\S*node .*virt-launcher\.mjs/],
    ['libvirtd', /^\S*libvirtd /],
    ['QEMU', /^\S*qemu-system/],
  ] as const;
  const all = instanceProcesses(home, name);
  return new Map(
    kinds.map(([kind, pattern]) => [
      kind,
      all.filter(({ command }) => pattern.test(command)).map(({ pid }) => pid),
    ]),
  );
}

function cpuByKind(processes: ReadonlyMap<string, readonly number[]>): CpuTimes {
  return new Map(
    [...processes].map(([kind, pids]) => [kind, pids.reduce((sum, pid) => sum + cpuMs(pid), 0)]),
  );
}

/** The new one's own word. */
async function adoptionSeconds(instance: Instance, scrape: Scrape): Promise<number> {
  await instance.kill('virt-handler-node-1');
  return await eventually('a new virt-handler has taken up all guests', 120_000, async () => {
    const seconds = ADOPTION.exec((await scrape()).body)?.[1];
    return seconds === undefined ? undefined : Number(seconds);
  });
}
