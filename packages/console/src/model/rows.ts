/** What the table of VMs shows. Pure. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';

/** How a status is drawn: each has a colour and a shape. */
export type Tone = 'good' | 'busy' | 'still' | 'bad';

export interface VmRow {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: string;
  readonly tone: Tone;
  readonly node: string;
  readonly address: string;
  readonly cpus: string;
  readonly memory: string;
  readonly createdMs: number;
  readonly labels: Readonly<Record<string, string>>;
  /** A VMI that no VM owns: it cannot be started again. */
  readonly isAlone: boolean;
}

/** By namespace and name. What has not changed since the last time is not made again: ten thousand rows are no work. */
export function rowsOf(
  vms: ReadonlyMap<string, VirtualMachine>,
  vmis: ReadonlyMap<string, VirtualMachineInstance>,
): readonly VmRow[] {
  return orderOf(vms, vmis).map((key) => knownRow(key, vms.get(key), vmis.get(key)));
}

interface Known {
  readonly vmi: VirtualMachineInstance | undefined;
  readonly row: VmRow;
}

/** Objects that come by watch are never changed, only replaced. */
const known = new WeakMap<VirtualMachine | VirtualMachineInstance, Known>();

function knownRow(
  key: string,
  vm: VirtualMachine | undefined,
  vmi: VirtualMachineInstance | undefined,
): VmRow {
  const owner = vm ?? vmi;
  if (owner === undefined) return rowOf(key, vm, vmi);
  const before = known.get(owner);
  if (before !== undefined && before.vmi === vmi && before.row.key === key) return before.row;
  const row = rowOf(key, vm, vmi);
  known.set(owner, { vmi, row });
  return row;
}

let lastOrder: readonly string[] = [];

/** Sorting is most of the work, and needed only when something came or went. */
function orderOf(vms: ReadonlyMap<string, unknown>, vmis: ReadonlyMap<string, unknown>): readonly string[] {
  const alone = [...vmis.keys()].filter((key) => !vms.has(key));
  const isSame =
    lastOrder.length === vms.size + alone.length && lastOrder.every((key) => vms.has(key) || vmis.has(key));
  if (!isSame) lastOrder = [...vms.keys(), ...alone].toSorted((a, b) => (a < b ? -1 : 1));
  return lastOrder;
}

function rowOf(key: string, vm: VirtualMachine | undefined, vmi: VirtualMachineInstance | undefined): VmRow {
  const { metadata } = vm ?? vmi ?? {};
  const status = vm?.status?.printableStatus ?? vmi?.status?.phase ?? 'Unknown';
  const domain = vmi?.spec?.domain ?? vm?.spec?.template?.spec?.domain;
  const cpu = domain?.cpu;
  const cpus = (cpu?.cores ?? 1) * (cpu?.sockets ?? 1) * (cpu?.threads ?? 1);
  return {
    key,
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    status,
    tone: toneOf(status),
    node: vmi?.status?.nodeName ?? '',
    address: vmi?.status?.interfaces?.find(({ ipAddress }) => ipAddress !== undefined)?.ipAddress ?? '',
    cpus: String(cpus),
    memory: String(domain?.memory?.guest ?? domain?.resources?.requests?.['memory'] ?? ''),
    createdMs: Date.parse(metadata?.creationTimestamp ?? '') || 0,
    labels: metadata?.labels ?? {},
    isAlone: vm === undefined,
  };
}

const GOOD = ['Running', 'Migrating'];
const STILL = ['Stopped', 'Paused', 'Succeeded', 'Halted'];
const BAD = /^Err|Fail|Error|Crash|Unschedulable|BackOff|Unknown/;

export function toneOf(status: string): Tone {
  if (BAD.test(status)) return 'bad';
  if (GOOD.includes(status)) return 'good';
  return STILL.includes(status) ? 'still' : 'busy';
}

/**
 * The rows that fit all words of `text`: a word is looked for in name, namespace, status, node and address;
 * `key=value` asks for a label.
 */
export function filterRows(rows: readonly VmRow[], text: string): readonly VmRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const shown = `${row.name} ${row.namespace} ${row.status} ${row.node} ${row.address}`.toLowerCase();
    return words.every((word) => {
      const [key = '', value] = word.split('=');
      return value === undefined
        ? shown.includes(word)
        : Object.entries(row.labels).some(([k, v]) => k.toLowerCase() === key && v.toLowerCase() === value);
    });
  });
}
