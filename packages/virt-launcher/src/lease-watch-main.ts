/**
 * virt-lease-watch: looks on a live node, from the storage alone, whether the runner of a lost guest is over. It has
 * the claim read-only and no rights; it ends when it knows, and says what in its termination message (LeaseReport).
 *
 *   virt-lease-watch --image PATH --uid VMI-UID --pod LAUNCHER-POD [--silent-ms MS] [--silent-since TIME]
 *     [--report FILE]
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LeaseReport } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { readRenewal } from '@podvisor/storage';
import { run } from '@podvisor/sys';
import { type LeaseWatch, observeLease } from './fence/observe-lease.ts';

const LOOK_MS = 250;
const LOCK_TIMEOUT_MS = 10_000;

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    uid: { type: 'string' },
    pod: { type: 'string' },
    'silent-ms': { type: 'string', default: '0' },
    // Of no weight here: whoever made this one tells by it of which silence of the node it is.
    'silent-since': { type: 'string' },
    report: { type: 'string', default: '/dev/termination-log' },
  },
});
const { image, uid, pod, report: reportFile } = values;
if (image === undefined || uid === undefined || pod === undefined) {
  console.error('virt-lease-watch needs --image, --uid and --pod');
  process.exit(2);
}

let watch: LeaseWatch = { runner: { uid, pod }, silentMs: Number(values['silent-ms']) || 0 };
let trouble = '';
for (;;) {
  const report = await look(image).catch((error: unknown) => {
    const message = messageOf(error);
    // Told once: this node may have lost the storage too, and then nothing is known.
    if (message !== trouble) console.error(`the lease cannot be read: ${message}`);
    trouble = message;
    return undefined;
  });
  if (report !== undefined) {
    console.log(JSON.stringify(report));
    writeFileSync(reportFile, JSON.stringify(report));
    process.exit(report.verdict === 'foreign' ? 3 : 0);
  }
  await delay(LOOK_MS);
}

async function look(path: string): Promise<LeaseReport | undefined> {
  const step = observeLease(watch, await readRenewal(path), performance.now());
  if (step.kind === 'end') return step.report;
  watch = step.watch;
  if (step.kind === 'watch') return undefined;
  const lock = await lockOf(path);
  if (lock === undefined) return step.report;
  if (lock !== trouble) console.log(`${step.report.message}, but the disk is locked: ${lock}`);
  trouble = lock;
  return undefined;
}

/** Why the disk is locked, where the storage tells locks of other nodes: a runner may be stopped, and not gone. */
async function lockOf(path: string): Promise<string | undefined> {
  // Opened as raw: nothing of what the guest wrote is looked at.
  try {
    await run('qemu-img', ['info', '-f', 'raw', '--output', 'json', path], { timeoutMs: LOCK_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return messageOf(error).split('\n')[0] ?? '';
  }
}
