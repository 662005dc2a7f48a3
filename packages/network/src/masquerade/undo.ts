/** Takes away what the masquerade plan made. The Pod's NIC was never touched. */
import type { Action, Observed } from '../binding.ts';
import { bridgeName, tapName } from '../names.ts';
import { hasNatRules, INVALID_CHAIN, MARKER_CHAIN } from './rules.ts';

/** Pure: steps that remove bridge, TAP and rules of the NIC, as far as they exist. */
export function undoMasquerade(podInterface: string, observed: Observed): readonly Action[] {
  const devices = [tapName(podInterface), bridgeName(podInterface)].filter((name) =>
    observed.links.some((l) => l.ifname === name),
  );
  const families = (['ip', 'ip6'] as const).filter((family) => hasNatRules(observed.natTables[family]));
  return [
    { kind: 'ip', commands: devices.map((name) => `link del dev ${name}`) },
    ...families.map(
      (family): Action => ({ kind: 'nft', script: undoScript(family, observed.natTables[family] ?? '') }),
    ),
  ];
}

const OUR_CHAINS = new Set([
  'prerouting',
  'input',
  'output',
  'postrouting',
  INVALID_CHAIN,
  MARKER_CHAIN,
  'KUBEVIRT_POSTINBOUND',
]);

/** A table that others (a service mesh) have added chains to stays; of ours nothing does, so that it can be made anew. */
function undoScript(family: 'ip' | 'ip6', table: string): string {
  const chains = [...table.matchAll(/^\s*chain (\S+) \{/gm)].map((match) => match[1] ?? '');
  if (chains.every((chain) => OUR_CHAINS.has(chain))) return `delete table ${family} nat\n`;
  const ours = chains.filter((chain) => OUR_CHAINS.has(chain));
  // Emptied first: a chain that another one leads to cannot go.
  return ['flush', 'delete']
    .flatMap((verb) => ours.map((chain) => `${verb} chain ${family} nat ${chain}\n`))
    .join('');
}
