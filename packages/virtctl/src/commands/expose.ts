/** expose: a Service whose traffic goes to a guest (or to those of a replica set). */
import type { Command } from 'commander';
import { openSession } from '../kube-access.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';
import { getJson, objectPath, post } from '../requests.ts';
import { failure } from '../run-program.ts';
import { say, type Shell } from '../shell.ts';

interface ExposeFlags {
  readonly name: string;
  readonly port?: string;
  readonly targetPort?: string;
  readonly portName?: string;
  readonly protocol: string;
  readonly type: string;
  readonly clusterIp?: string;
  readonly externalIp?: string;
  readonly ipFamily?: string;
  readonly ipFamilyPolicy?: string;
  readonly nodePort?: string;
}

interface Exposable {
  readonly kind: string;
  readonly plural: string;
}

const KINDS: Readonly<Record<string, Exposable>> = {
  vm: { kind: 'VirtualMachine', plural: 'virtualmachines' },
  vmi: { kind: 'VirtualMachineInstance', plural: 'virtualmachineinstances' },
  vmirs: { kind: 'VirtualMachineInstanceReplicaSet', plural: 'virtualmachineinstancereplicasets' },
};

/** The kind by its short name, its name or its plural. */
function exposable(text: string): Exposable {
  const word = text.toLowerCase();
  const found = Object.entries(KINDS).find(([short, { kind, plural }]) =>
    [short, `${short}s`, kind.toLowerCase(), plural].includes(word),
  );
  if (found === undefined) throw new Error(`unsupported resource type: ${text}`);
  return found[1];
}

export function addExposeCommand(program: Command, shell: Shell): void {
  program
    .command('expose <type> <name>')
    .description('Expose a vm, vmi or vmirs as a Service.')
    .requiredOption('--name <service>', 'name of the Service')
    .requiredOption('--port <port>', 'port of the Service')
    .option('--target-port <port>', 'port of the guest, by number or name (default: the same)')
    .option('--port-name <name>', 'name of the port')
    .option('--protocol <protocol>', 'TCP or UDP', 'TCP')
    .option('--type <type>', 'ClusterIP, NodePort or LoadBalancer', 'ClusterIP')
    .option('--cluster-ip <address>', 'address of the Service; None for a headless one')
    .option('--external-ip <address>', 'further address to accept traffic on')
    .option('--node-port <port>', 'port on each node')
    .option('--ip-family <families>', 'IPv4, IPv6 or both, separated by a comma')
    .option('--ip-family-policy <policy>', 'SingleStack, PreferDualStack or RequireDualStack')
    .action(async (typeText: string, name: string, flags: ExposeFlags, self: Command) => {
      const type = exposable(typeText);
      const parts = serviceSpec(flags);
      const { client, namespace } = openSession(self, shell);
      const object = await getJson(client, objectPath('kubevirt.io/v1', namespace, type.plural, name)).catch(
        (error: unknown) => {
          throw failure(`error fetching ${type.kind}:`, error);
        },
      );
      const service = {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: {
          name: flags.name,
          namespace,
          ownerReferences: [
            {
              apiVersion: 'kubevirt.io/v1',
              kind: type.kind,
              name: textOf(at(object, 'metadata', 'name')) ?? name,
              uid: textOf(at(object, 'metadata', 'uid')) ?? '',
              controller: true,
              blockOwnerDeletion: false,
            },
          ],
        },
        spec: { ...parts, selector: selectorOf(type, object, name) },
        status: { loadBalancer: {} },
      };
      await post(client, objectPath('v1', namespace, 'services'), service).catch((error: unknown) => {
        throw failure('service creation failed:', error);
      });
      say(shell, `Service ${flags.name} successfully created for ${typeText.toLowerCase()} ${name}`);
    });
}

function selectorOf({ kind }: Exposable, object: unknown, name: string): unknown {
  if (kind !== 'VirtualMachineInstanceReplicaSet') return { 'vmi.kubevirt.io/id': name };
  const selector = plainOf(at(object, 'spec', 'selector'));
  if (listOf(selector['matchExpressions']).length > 0)
    throw new Error('cannot expose VirtualMachineInstanceReplicaSet with match expressions');
  const labels = plainOf(selector['matchLabels']);
  if (Object.keys(labels).length === 0)
    throw new Error(`cannot expose VirtualMachineInstanceReplicaSet ${name}: its selector has no labels`);
  return labels;
}

/** The Service's spec without its selector. Pure. */
export function serviceSpec(flags: ExposeFlags): Readonly<Record<string, unknown>> {
  const protocol = flags.protocol.toUpperCase();
  if (!['TCP', 'UDP', 'SCTP'].includes(protocol)) throw new Error(`unknown protocol: ${flags.protocol}`);
  if (flags.type === 'ExternalName') throw new Error(`type: ${flags.type} not supported`);
  if (!['ClusterIP', 'NodePort', 'LoadBalancer'].includes(flags.type))
    throw new Error(`unknown service type: ${flags.type}`);
  const number = (text: string, flag: string): number => {
    const port = Number(text);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`--${flag} must be a port, not "${text}"`);
    return port;
  };
  const targetPort = flags.targetPort ?? '';
  const families = flags.ipFamily === undefined ? undefined : ipFamilies(flags.ipFamily);
  return {
    ports: [
      {
        ...(flags.portName === undefined ? {} : { name: flags.portName }),
        protocol,
        port: number(flags.port ?? '', 'port'),
        targetPort: /^\d+$/.test(targetPort) ? number(targetPort, 'target-port') : targetPort,
        ...(flags.nodePort === undefined ? {} : { nodePort: number(flags.nodePort, 'node-port') }),
      },
    ],
    type: flags.type,
    ...(flags.clusterIp === undefined ? {} : { clusterIP: flags.clusterIp }),
    ...(flags.externalIp === undefined ? {} : { externalIPs: [flags.externalIp] }),
    ...(families === undefined ? {} : { ipFamilies: families }),
    ...(flags.ipFamilyPolicy === undefined ? {} : { ipFamilyPolicy: ipFamilyPolicy(flags.ipFamilyPolicy) }),
  };
}

function ipFamilies(text: string): readonly string[] {
  return text.split(',').map((word) => {
    const family = ['IPv4', 'IPv6'].find((known) => known.toLowerCase() === word.trim().toLowerCase());
    if (family === undefined) throw new Error(`unknown IPFamily/s: ${text}`);
    return family;
  });
}

function ipFamilyPolicy(text: string): string {
  const policies = ['SingleStack', 'PreferDualStack', 'RequireDualStack'];
  const policy = policies.find((known) => known.toLowerCase() === text.toLowerCase());
  if (policy === undefined) throw new Error(`unknown IPFamilyPolicy/s: ${text}`);
  return policy;
}
