/**
 * Who certificates of our own CA stand for. The common name says for what one may be used; its organizational
 * unit says for which node, so that one node can never pass for another. docs/contracts.md, section 3.
 */
export const certificateNames = {
  virtApiServer: 'kubevirt.io:system:node:virt-api',
  /**
   * virt-api when it calls a virt-handler. Homes of older versions gave every virt-handler a certificate with
   * the name `kubevirt.io:system:client:virt-handler` for this; it is accepted nowhere any more (CVE-2025-64434).
   */
  virtApiClient: 'kubevirt.io:system:client:virt-api',
  handlerServer: 'kubevirt.io:system:node:virt-handler',
  migrationClient: 'kubevirt.io:system:client:migration',
  migrationServer: 'kubevirt.io:system:node:migration',
} as const;

const PREFIX = 'node:';

/** The organizational unit of a certificate of this node. */
export function nodeUnit(node: string): string {
  return `${PREFIX}${node}`;
}

/** The node that organizational units name; undefined unless they name exactly one. */
export function nodeOfUnits(units: readonly string[]): string | undefined {
  const nodes = units.filter((unit) => unit.startsWith(PREFIX)).map((unit) => unit.slice(PREFIX.length));
  return nodes.length === 1 && nodes[0] !== '' ? nodes[0] : undefined;
}
