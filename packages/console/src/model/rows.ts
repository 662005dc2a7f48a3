/** What the table of VMs shows. Pure. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { amountOf } from './units.ts';

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
  /** Why its guest cannot move to another node; `''`: it can, or nobody has said. */
  readonly cannotMove: string;
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
    cannotMove: cannotMove(vmi),
    isAlone: vm === undefined,
  };
}

function cannotMove(vmi: VirtualMachineInstance | undefined): string {
  const condition = vmi?.status?.conditions?.find(({ type }) => type === 'LiveMigratable');
  return condition?.status === 'False' ? (condition.message ?? condition.reason ?? '') : '';
}

const GOOD = ['Running', 'Migrating'];
const STILL = ['Stopped', 'Paused', 'Succeeded', 'Halted'];
const BAD = /^Err|Fail|Error|Crash|Unschedulable|BackOff|Unknown/;

export function toneOf(status: string): Tone {
  if (BAD.test(status)) return 'bad';
  if (GOOD.includes(status)) return 'good';
  return STILL.includes(status) ? 'still' : 'busy';
}

export interface Filter {
  /** A word is looked for in name, namespace, status, node and address; `key=value` asks for a label. */
  readonly text: string;
  /** Exactly this one; `''`: whichever. */
  readonly status: string;
  readonly node: string;
}

/** The rows that fit all of it. */
export function filterRows(rows: readonly VmRow[], { text, status, node }: Filter): readonly VmRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 && status === '' && node === '') return rows;
  return rows.filter((row) => {
    if ((status !== '' && row.status !== status) || (node !== '' && row.node !== node)) return false;
    const shown = `${row.name} ${row.namespace} ${row.status} ${row.node} ${row.address}`.toLowerCase();
    return words.every((word) => {
      const [key = '', value] = word.split('=');
      return value === undefined
        ? shown.includes(word)
        : Object.entries(row.labels).some(([k, v]) => k.toLowerCase() === key && v.toLowerCase() === value);
    });
  });
}

export interface Count {
  readonly value: string;
  readonly count: number;
}

/** How many rows have each value that there is, by the value. */
export function countsOf(rows: readonly VmRow[], of: 'status' | 'node'): readonly Count[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[of], (counts.get(row[of]) ?? 0) + 1);
  counts.delete('');
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

export const COLUMNS = ['name', 'namespace', 'status', 'node', 'address', 'cpus', 'memory'] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly by: Column;
  readonly isDescending: boolean;
}

/** Without an order rows stay as they come, by namespace and name. Rows that are alike in the column stay so, too. */
export function orderedRows(rows: readonly VmRow[], order: Order | undefined): readonly VmRow[] {
  if (order === undefined) return rows;
  const { by, isDescending } = order;
  // Quantities are read once a row, not once a comparison.
  const keyed = rows.map((row) => ({ row, at: isAmount(by) ? amountOf(row[by]) : row[by] }));
  const direction = isDescending ? -1 : 1;
  return keyed
    .toSorted((a, b) => (a.at < b.at ? -direction : a.at > b.at ? direction : 0))
    .map(({ row }) => row);
}

function isAmount(column: Column): boolean {
  return column === 'cpus' || column === 'memory';
}

/** The order after a click on the heading of `column`: by it, then backwards, then none. */
export function nextOrder(order: Order | undefined, column: Column): Order | undefined {
  if (order?.by !== column) return { by: column, isDescending: false };
  return order.isDescending ? undefined : { by: column, isDescending: true };
}
