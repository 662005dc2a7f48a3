/** What virt-handler wrote on Nodes, and the patch that takes it away. Pure. */
import { annotations, labels, type Node, nodeLabelPrefixes } from '@podvisor/api';

const PREFIXES = Object.values(nodeLabelPrefixes);
const LABELS: readonly string[] = [
  labels.schedulable,
  labels.realtime,
  labels.sev,
  labels.sevES,
  labels.sevSNP,
  labels.tdx,
  labels.secureExecution,
  labels.obsoleteHostModel,
  labels.ksmEnabled,
];
const ANNOTATIONS: readonly string[] = [annotations.heartbeat, annotations.ksmHandlerManaged];

/** A merge patch; undefined when nothing of ours is there. */
export function withoutMarks(node: Node): object | undefined {
  const isLabel = (key: string): boolean =>
    LABELS.includes(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
  const dropped = (keys: readonly string[]): Record<string, null> =>
    Object.fromEntries(keys.map((key) => [key, null]));
  const ours = Object.keys(node.metadata.labels ?? {}).filter(isLabel);
  const notes = Object.keys(node.metadata.annotations ?? {}).filter((key) => ANNOTATIONS.includes(key));
  if (ours.length + notes.length === 0) return undefined;
  return { metadata: { labels: dropped(ours), annotations: dropped(notes) } };
}
