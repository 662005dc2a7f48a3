/**
 * Every subresource, in one table: which request it is, which permission it needs, which objects its
 * decider looks at. Paths match whole or not at all; the permission is read from the row, never cut out of
 * the path (CVE-2026-6383).
 */
import * as backup from './backup.ts';
import * as commands from './vmi-commands.ts';
import { STATE_KEY_SUBRESOURCE } from '@podvisor/api';
import type { Decider } from './decision.ts';
import { hibernateVm } from './hibernate.ts';
import * as lifecycle from './vm-lifecycle.ts';
import * as questions from './vmi-questions.ts';
import { stateKey } from './state-key.ts';
import * as sev from './sev.ts';
import * as streams from './streams.ts';
import * as memoryDump from './memory-dump.ts';
import * as objectGraph from './object-graph.ts';
import * as volumes from './volumes.ts';

/** Objects that a decider may look at; the node is the one of the VMI. */
type Need = 'vm' | 'vmi' | 'claim' | 'node' | 'graph' | 'state-keys';

export interface SubresourceRoute {
  readonly method: 'GET' | 'PUT';
  readonly resource: 'virtualmachines' | 'virtualmachineinstances';
  /** As in RBAC rules: `console`, `sev/setupsession`. */
  readonly subresource: string;
  /** Variable segments that follow in the path, in order; the last `optional` of them may be missing. */
  readonly parameters?: readonly string[];
  readonly optionalParameters?: number;
  /** Served over a websocket. */
  readonly stream?: boolean;
  /** What the decider reads. */
  readonly needs: readonly Need[];
  readonly decide: Decider;
}

type Row = readonly [
  method: 'GET' | 'PUT',
  subresource: string,
  needs: readonly Need[],
  decide: Decider,
  more?: Partial<SubresourceRoute>,
];

const STREAM = { stream: true } as const;
const PORT = { stream: true, parameters: ['port', 'protocol'], optionalParameters: 1 } as const;

const VM_ROWS: readonly Row[] = [
  ['PUT', 'start', ['vm', 'vmi'], lifecycle.startVm],
  ['PUT', 'stop', ['vm', 'vmi'], lifecycle.stopVm],
  ['PUT', 'restart', ['vm', 'vmi'], lifecycle.restartVm],
  ['PUT', 'hibernate', ['vm', 'vmi'], hibernateVm],
  ['PUT', 'migrate', ['vm', 'vmi'], lifecycle.migrateVm],
  ['PUT', 'addvolume', ['vm'], volumes.addVolumeToVm],
  ['PUT', 'removevolume', ['vm'], volumes.removeVolumeFromVm],
  ['PUT', 'memorydump', ['vm', 'vmi', 'claim'], memoryDump.dumpMemory],
  ['PUT', 'removememorydump', ['vm'], memoryDump.removeMemoryDump],
  ['GET', 'objectgraph', ['vm', 'vmi', 'graph'], objectGraph.vmObjectGraph],
  ['PUT', 'evacuate/cancel', ['vm', 'vmi', 'node'], commands.cancelVmEvacuation],
  ['GET', 'portforward', ['vm', 'vmi'], streams.forwardVmPort, PORT],
];

const VMI_ROWS: readonly Row[] = [
  ['GET', 'console', ['vmi'], streams.console, STREAM],
  ['GET', 'vnc', ['vmi'], streams.vnc, STREAM],
  ['GET', 'vnc/screenshot', ['vmi'], streams.vncScreenshot],
  ['GET', 'usbredir', ['vmi'], streams.usbRedir, STREAM],
  ['GET', 'vsock', ['vmi'], streams.vsock, STREAM],
  ['GET', 'portforward', ['vmi'], streams.forwardPort, PORT],
  ['PUT', 'pause', ['vmi'], commands.pauseVmi],
  ['PUT', 'unpause', ['vm', 'vmi'], commands.unpauseVmi],
  ['PUT', 'freeze', ['vmi'], commands.freezeVmi],
  ['PUT', 'unfreeze', ['vmi'], commands.unfreezeVmi],
  ['PUT', 'softreboot', ['vmi'], commands.softRebootVmi],
  ['PUT', 'reset', ['vmi'], commands.resetVmi],
  ['GET', 'guestosinfo', ['vmi'], questions.guestOsInfo],
  ['GET', 'userlist', ['vmi'], questions.userList],
  ['GET', 'filesystemlist', ['vmi'], questions.filesystemList],
  ['GET', 'networkpath', ['vmi'], questions.networkPath],
  ['GET', 'diskpath', ['vmi'], questions.diskPath],
  ['GET', 'domainxml', ['vmi'], questions.domainXml],
  ['GET', 'domainstats', ['vmi'], questions.domainStats],
  ['GET', 'usagehistory', ['vmi'], questions.usageHistory],
  ['GET', 'migrationprogress', ['vmi'], questions.migrationProgress],
  ['GET', 'backupprogress', ['vmi'], questions.backupProgress],
  ['PUT', 'addvolume', ['vmi'], volumes.addVolumeToVmi],
  ['PUT', 'removevolume', ['vmi'], volumes.removeVolumeFromVmi],
  ['GET', 'sev/fetchcertchain', ['vmi'], questions.fetchCertChain],
  ['GET', 'sev/querylaunchmeasurement', ['vmi'], questions.queryLaunchMeasurement],
  ['PUT', 'sev/setupsession', ['vmi'], sev.setupSevSession],
  ['PUT', 'sev/injectlaunchsecret', ['vmi'], sev.injectLaunchSecret],
  ['GET', 'objectgraph', ['vmi', 'graph'], objectGraph.vmiObjectGraph],
  ['PUT', 'evacuate/cancel', ['vmi', 'node'], commands.cancelEvacuation],
  ['PUT', 'backup', ['vmi'], backup.backUpVmi],
  ['PUT', 'redefine-checkpoint', ['vmi'], backup.redefineCheckpoint],
  ['GET', STATE_KEY_SUBRESOURCE, ['vmi', 'state-keys'], stateKey],
];

function routesOf(resource: SubresourceRoute['resource'], rows: readonly Row[]): readonly SubresourceRoute[] {
  return rows.map(([method, subresource, needs, decide, more]) => ({
    method,
    resource,
    subresource,
    needs,
    decide,
    ...more,
  }));
}

export const subresourceRoutes: readonly SubresourceRoute[] = [
  ...routesOf('virtualmachines', VM_ROWS),
  ...routesOf('virtualmachineinstances', VMI_ROWS),
];

export interface RouteMatch {
  readonly route: SubresourceRoute;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the row for the segments after the object's name. */
export function matchSubresource(resource: string, segments: readonly string[]): readonly RouteMatch[] {
  return subresourceRoutes.flatMap((route): RouteMatch[] => {
    if (route.resource !== resource) return [];
    const fixed = route.subresource.split('/');
    if (!fixed.every((part, index) => segments[index] === part)) return [];
    const rest = segments.slice(fixed.length);
    const names = route.parameters ?? [];
    if (rest.length > names.length || rest.length < names.length - (route.optionalParameters ?? 0)) return [];
    return [
      { route, parameters: Object.fromEntries(rest.map((value, index) => [names[index] ?? '', value])) },
    ];
  });
}
