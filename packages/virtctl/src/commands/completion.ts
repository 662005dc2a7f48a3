/** completion: scripts for bash, zsh and fish, and the hidden command that they ask. */
import { resources } from '@podvisor/kube';
import type { Command } from 'commander';
import { CommandClient } from '../access/command-client.ts';
import { clusterAccess, contextNames } from '../access/kubeconfig.ts';
import { completionScript } from '../completion/scripts.ts';
import { type ObjectKind, type CompletionRequest, completionRequest } from '../completion/request.ts';
import type { Session } from '../kube-access.ts';
import { at, listOf } from '../plain.ts';
import { getJson, nameOf, objectPath } from '../requests.ts';
import { say, type Shell } from '../shell.ts';

/** A shell that waits for a dead cluster is worse than one without names. */
const PATIENCE_MS = 2000;

/** Asks for the names of things of a kind; `words` are those of the line, for the flags among them. */
export type NamesOf = (of: ObjectKind, words: readonly string[]) => Promise<readonly string[]>;

/** The commands of any program of ours; `names` is asked where only a cluster or a home knows what could stand. */
export function addCompletionCommands(program: Command, shell: Shell, names: NamesOf): void {
  program
    .command('completion <shell>')
    .description('Print the completion script for bash, zsh or fish.')
    .action((name: string) => void shell.stdout.write(completionScript(program.name(), name)));
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const typed = words.length === 0 ? [''] : words;
      const current = typed.at(-1) ?? '';
      const candidates = await candidatesFor(completionRequest(program, typed), typed, names);
      for (const candidate of candidates.filter((word) => word.startsWith(current))) say(shell, candidate);
    });
}

async function candidatesFor(
  request: CompletionRequest,
  words: readonly string[],
  names: NamesOf,
): Promise<readonly string[]> {
  if (request.kind === 'words') return request.words;
  if (request.kind === 'files') return [];
  try {
    return await names(request.of, words);
  } catch {
    return []; // no cluster, no names: the shell stays usable
  }
}

/** Names of the cluster that the line, or the environment, means. */
export function clusterNames({ env }: Pick<Shell, 'env'>): NamesOf {
  return async (of, words) => {
    const flags = flagsIn(words);
    if (of === 'context') return contextNames(flags, env);
    const access = clusterAccess(flags, env);
    const client = new CommandClient(access, { ...flags, requestTimeout: `${PATIENCE_MS}ms` });
    return await namesOf(of, { client, namespace: access.namespace ?? 'default' });
  };
}

async function namesOf(of: ObjectKind, { client, namespace }: Session): Promise<readonly string[]> {
  const names = async (path: string): Promise<readonly string[]> =>
    listOf(at(await getJson(client, path), 'items')).map(nameOf);
  const kubevirt = (plural: string): Promise<readonly string[]> =>
    names(objectPath('kubevirt.io/v1', namespace, plural));
  switch (of) {
    case 'vm':
      return kubevirt('virtualmachines');
    case 'vmi':
      return kubevirt('virtualmachineinstances');
    case 'vmirs':
      return kubevirt('virtualmachineinstancereplicasets');
    case 'namespace':
      return (await client.list(resources.namespaces)).items.map(nameOf);
    case 'target': {
      const [vms, vmis] = await Promise.all([
        kubevirt('virtualmachines'),
        kubevirt('virtualmachineinstances'),
      ]);
      return [...vms.map((name) => `vm/${name}`), ...vmis.map((name) => `vmi/${name}`)];
    }
    case 'claim':
      return names(objectPath('v1', namespace, 'persistentvolumeclaims'));
    case 'node':
      return (await client.list(resources.nodes)).items.map(nameOf);
    case 'storageclass':
      return (await client.list(resources.storageClasses)).items.map(nameOf);
    case 'instancetype':
    case 'preference': {
      // One of the namespace is named with its kind; without a kind the cluster's is meant.
      const group = '/apis/instancetype.kubevirt.io/v1beta1';
      const [cluster, own] = await Promise.all([
        names(`${group}/virtualmachinecluster${of}s`),
        names(objectPath('instancetype.kubevirt.io/v1beta1', namespace, `virtualmachine${of}s`)),
      ]);
      return [...cluster, ...own.map((name) => `virtualmachine${of}/${name}`)];
    }
    case 'context':
    case 'image':
    case 'user':
    case 'component':
      return []; // not the cluster's
  }
}

/** The flags on the line that say which cluster is meant. */
function flagsIn(words: readonly string[]): { kubeconfig?: string; context?: string; namespace?: string } {
  const value = (...names: readonly string[]): string | undefined => {
    const index = words.findIndex((word) => names.includes(word));
    const joined = words.find((word) =>
      names.some((name) => name.startsWith('--') && word.startsWith(`${name}=`)),
    );
    return index >= 0 && index < words.length - 1 ? words[index + 1] : joined?.slice(joined.indexOf('=') + 1);
  };
  const found = {
    kubeconfig: value('--kubeconfig'),
    context: value('--context'),
    namespace: value('-n', '--namespace'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined && text !== ''));
}
