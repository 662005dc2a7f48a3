/** The patch that brings a node's labels and annotations up to date. Pure. */
import { annotations, labels as names, type Node } from '@podvisor/api';
import { OWNED_PREFIXES } from './labels.ts';

export interface WantedNode {
  readonly schedulable: boolean;
  /** Labels from the node's capabilities; undefined: not known yet, those that are there stay. */
  readonly capabilityLabels?: Readonly<Record<string, string>>;
  /** RFC 3339 time for the heartbeat. */
  readonly now: string;
}

export interface NodePatch {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string | null>>;
    readonly annotations: Readonly<Record<string, string | null>>;
  };
}

/** A merge patch, or undefined when the node is as wanted. `force` writes the heartbeat anyway. */
export function planNodePatch(node: Node, wanted: WantedNode, force: boolean): NodePatch | undefined {
  const labels = node.metadata.labels ?? {};
  const changes: Record<string, string | null> = {};
  const schedulable = String(wanted.schedulable);
  if (labels[names.schedulable] !== schedulable) changes[names.schedulable] = schedulable;
  const isSkipped = node.metadata.annotations?.[annotations.skipNode] === 'true';
  if (wanted.capabilityLabels !== undefined && !isSkipped) {
    const target = wanted.capabilityLabels;
    for (const [key, value] of Object.entries(target)) if (labels[key] !== value) changes[key] = value;
    for (const key of Object.keys(labels))
      if (OWNED_PREFIXES.some((prefix) => key.startsWith(prefix)) && target[key] === undefined)
        changes[key] = null;
  }
  if (!force && Object.keys(changes).length === 0) return undefined;
  return { metadata: { labels: changes, annotations: { [annotations.heartbeat]: wanted.now } } };
}
